import type { Left, Said } from './play-lives.ts';

/**
 * Finds what does not hold of what a run heard: each comment that was said in time stands once in a request of the model, or in the
 * report; those of people who may steer come up in the next run at the latest, and nobody else begins one.
 */
export function findBroken(left: Left): readonly string[] {
  const { comments, runs, isAssigned } = left;
  const ends = comments.filter(({ body }) => body.includes(':final -->'));
  return [
    ...left.said.flatMap((one) =>
      listFaults(one, { ...left, ends }).map((fault) => `comment ${one.id} of ${one.by} ${fault}`),
    ),
    ...runs.filter((run) => !run.startsWith('completed ')).map((run) => `a run is ${run}`),
    ...(ends.length === runs.length ? [] : [`${runs.length} runs have ${ends.length} final comments`]),
    ...(isAssigned ? ['the thread still waits for the agent'] : []),
    ...(runs.length <= 1 + countAsked(left, ends) ? [] : [`nobody asked for ${runs.length} runs`]),
  ];
}

interface Ended extends Pick<Left, 'requests' | 'runs'> {
  readonly ends: Left['comments'];
}

function listFaults(one: Said, { requests, runs, ends }: Ended): readonly string[] {
  const { id, words, by, isGone } = one;
  const isThread = id === 'thread';
  const mark = isThread ? 'edit of the title or description' : `issuecomment-${id})`;
  const reports = ends.map(({ body }) => body.split('\n').filter((line) => line.includes(mark)));
  const lines = reports.flat();
  const last = words.at(-1);
  const wasTold = requests.some(({ text }) => words.some((word) => text.includes(word)));
  const isOpen =
    last !== undefined && !isGone && !requests.some(({ text }) => text.includes(last)) && isInTime(one, ends);
  // What is edited or corrected stands there once more.
  const isWhole = words.length === 1 && !isGone;
  const isRepeated = isWhole && !isThread && requests.some(({ text }) => countTold(text, one) > 1);
  // A run that was stopped keeps it for the next one, and asks for none.
  const mustBegin = isWhole && !isThread && by === 'alice' && !runs.includes('completed stopped');
  return [
    ...(isRepeated ? ['stands twice in one request'] : []),
    ...(isOpen && lines.length === 0 ? ['was told nobody and stands in no report'] : []),
    ...(isOpen && mustBegin ? ['was told nobody, though she may steer'] : []),
    ...(!isThread && reports.some((own) => own.length > words.length + Number(isGone) && own.length > 1)
      ? [`has several lines in one report: ${lines.join('; ')}`]
      : []),
    ...(last !== undefined &&
    !wasTold &&
    !isThread &&
    lines.some((line) => line.includes(', delivered to the agent'))
      ? ['is reported as told and stands in no request']
      : []),
  ];
}

/** Told as not known yet, it is told again once it is known whether its author may steer. */
function countTold(text: string, { words: [word = ''] }: Said): number {
  const told = text.split(word).length - 1;
  return text.includes('It is known now') ? told - 1 : told;
}

function isInTime({ endsBefore }: Pick<Said, 'endsBefore'>, ends: Ended['ends']): boolean {
  return endsBefore < ends.length;
}

/** Comments that ask for a run after the first one: of somebody who may steer, said in time, and not told then. */
function countAsked({ said, requests }: Left, ends: Ended['ends']): number {
  const first = requests.filter((request) => request.ends === 0);
  return said.filter(
    ({ by, words, endsBefore }) =>
      by === 'alice' &&
      isInTime({ endsBefore }, ends) &&
      words.length > 0 &&
      !first.some(({ text }) => words.every((word) => text.includes(word))),
  ).length;
}
