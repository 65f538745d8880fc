#!/usr/bin/env node
// An agent for Sandtable in JavaScript without libraries: it plays the legal action of which
// it has heard least, by number. It uses version 2 of the protocol, see ../doc.go.
//
//   sandtable arena trench/standard exec:js random --exec js='node agent.js'
"use strict";

const say = (...words) => process.stdout.write(words.join(" ") + "\n");
const played = new Map(); // action -> how often
let legal = [];

const answers = {
  sandtable: () => say("protocol 2\nid Curious JavaScript\nwants actions\nwants observation bits\nready"),
  layout: () => say("ready"),
  newgame: () => {
    played.clear();
    say("ready");
  },
  observation: (rest) => {
    const [bits, scalars] = rest.split(" ").map((text) => Buffer.from(text, "base64"));
    if (bits.length % 8 !== 0 || scalars === undefined) throw new Error("no observation");
  },
  actions: (rest) => (legal = rest.split(" ").map(Number)),
  go: (rest) => {
    const times = (action) => played.get(action) || 0;
    const action = legal.reduce((a, b) => (times(b) < times(a) ? b : a));
    played.set(action, times(action) + 1);
    say("move", rest.split(" ")[0], action, "visits", legal.map((a) => `${a}:${a === action ? 1 : 0}`).join(","));
  },
  quit: () => process.exit(0),
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [word] = line.trim().split(" ", 1);
    if (answers[word]) answers[word](line.trim().slice(word.length + 1));
  });
