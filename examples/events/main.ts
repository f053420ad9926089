/** A shop: one part of the program reports sales, others read them when they like, each once and in order. */
import { createChannel, createWorld, readInOrder } from "espalier";

/** A sale, or a text. */
type Entry = { readonly what: string; readonly price: number } | string;

const world = createWorld();
const sold = createChannel<Entry>(world, "sold");
const complaints = createChannel<Entry>(world, "complaints", { capacity: 2 });

const till = sold.reader();
const diary = [
  sold.reader(),
  complaints.reader({ onMissed: (count) => console.log(`the diary missed ${count}`) }),
];

sold.emit({ what: "apple", price: 2 });
complaints.emit("too cold in here");
sold.emit({ what: "pear", price: 3 });

let sum = 0;
for (const entry of till) if (typeof entry !== "string") sum += entry.price;
console.log(`in the till: ${sum}`);
console.log(`nothing new: ${till.read().length}`);

readInOrder(diary, (entry, sequence) => {
  console.log(`${sequence}: ${typeof entry === "string" ? entry : `${entry.what} for ${entry.price}`}`);
});

for (const text of ["too warm now", "too loud", "too late"]) complaints.emit(text);
console.log(diary[1]?.read().join(", "));
