throw new Error("the worker threw");
