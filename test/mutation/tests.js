/** The tests that were declared and not taken yet, in their order. */
const declared = [];

/** Stands in for ava's `test`: tests are collected, for in-process-runner.js to run. */
// biome-ignore lint/style/noDefaultExport: it stands in for ava, which has one
export default function test(title, run) {
  declared.push({ title, run });
}

export function takeDeclared() {
  return declared.splice(0);
}
