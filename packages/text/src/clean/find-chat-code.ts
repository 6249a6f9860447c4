/** A stretch of code, in UTF-16 units: `start` is in it, `end` is not; with the backticks around it. */
export interface CodeSpan {
  readonly start: number;
  readonly end: number;
  /** The number of backticks that open it; three and more make a block. */
  readonly ticks: number;
}

interface Run {
  readonly start: number;
  readonly length: number;
}

/**
 * The code in a message, in order, as chats write it: a block may begin in the middle of a line. A block that
 * nothing closes goes on to the end; backticks that nothing answers are just backticks.
 */
export function findChatCode(text: string): CodeSpan[] {
  if (!text.includes('`')) return [];
  const runs: Run[] = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ start: index, length }));
  const answers = findAnswers(runs);
  const spans: CodeSpan[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const { start, length } = runs[index] as Run;
    const answer = length < 3 ? answers[index] : findAsLong(runs, { after: index, length });
    if (answer === undefined) continue;
    const closing = runs[answer];
    spans.push({
      start,
      end: closing === undefined ? text.length : closing.start + closing.length,
      ticks: length,
    });
    if (closing === undefined) break;
    index = answer;
  }
  return spans;
}

/** The first run behind another that is at least so long; the number of runs when there is none. */
function findAsLong(runs: readonly Run[], { after, length }: { after: number; length: number }): number {
  let index = after + 1;
  while (index < runs.length && (runs[index] as Run).length < length) index += 1;
  return index;
}

/** For each run the next one that is just as long. */
function findAnswers(runs: readonly Run[]): (number | undefined)[] {
  const nextOfLength = new Map<number, number>();
  const answers = new Array<number | undefined>(runs.length);
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const { length } = runs[index] as Run;
    answers[index] = nextOfLength.get(length);
    nextOfLength.set(length, index);
  }
  return answers;
}
