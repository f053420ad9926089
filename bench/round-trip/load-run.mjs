/** The command line by its public name, as built. */
export async function loadRun() {
  try {
    return await import("@espalier/cli");
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND" && error.code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw error;
    throw new Error("@espalier/cli is not built. Run npm run build first.", { cause: error });
  }
}
