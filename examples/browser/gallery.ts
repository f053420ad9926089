/** The gallery: every folder here that has an `example.json`, with the picture that its test compares. */
interface Example {
  readonly title: string;
  readonly about: string;
}

const examples = import.meta.glob<Example>("./*/example.json", { eager: true, import: "default" });
const pictures = import.meta.glob<string>("./*/screenshot.png", {
  eager: true,
  import: "default",
  query: "?url",
});
const gallery = document.querySelector("#gallery")!;

for (const [path, { title, about }] of Object.entries(examples)) {
  const folder = path.slice(0, -"example.json".length);
  const link = document.createElement("a");
  link.href = `${folder}index.html`;
  const figure = document.createElement("figure");
  const picture = document.createElement("img");
  picture.src = pictures[`${folder}screenshot.png`] ?? "";
  picture.alt = title;
  const caption = document.createElement("figcaption");
  const name = document.createElement("strong");
  name.textContent = title;
  const text = document.createElement("div");
  text.textContent = about;
  caption.append(name, text);
  figure.append(picture, caption);
  link.append(figure);
  gallery.append(link);
}
