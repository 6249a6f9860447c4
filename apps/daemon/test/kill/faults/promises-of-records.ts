import { createHash } from 'node:crypto';
import type { Evidence, RunOnDisk } from './evidence.ts';
import type { BrokenPromise, PromiseName } from './promise.ts';

/** What is left on disk, and what the tools did. */
export function findBrokenRecords(evidence: Evidence): readonly BrokenPromise[] {
  const broken = (promise: PromiseName, shown: readonly string[]): BrokenPromise[] =>
    shown.map((text) => ({ promise, shown: text }));
  const { runs, hung } = evidence;
  return [
    ...broken('a step takes effect once', findRepeatedSteps(evidence)),
    ...broken('a record is whole', runs.flatMap(findDamage)),
    ...broken(
      'a process ends when its work has ended',
      hung === 0 ? [] : [`${hung} processes had to be killed`],
    ),
  ];
}

/** A run of its own may take all steps again. */
function findRepeatedSteps({ effects, branches, conversations }: Evidence): readonly string[] {
  const most = Math.max(1, conversations.length);
  const lists = [effects, ...branches.map(({ log }) => log ?? [])];
  return lists.flatMap((list) =>
    [...new Set(list)].flatMap((step) => {
      const times = list.filter((one) => one === step).length;
      return times > most ? [`${step} took effect ${times} times in ${most} runs`] : [];
    }),
  );
}

interface RecordLine {
  readonly seq?: number;
  readonly owner?: number;
  readonly check?: string;
}

function findDamage({ uuid, lines }: RunOnDisk): readonly string[] {
  const found: string[] = [];
  let seq = 0;
  let owner = 0;
  let before = '';
  for (const [index, text] of lines.entries()) {
    const line = parseLine(text);
    const where = `run ${uuid}, line ${index + 1}`;
    // A torn last line is dropped when it is opened again.
    if (line === null) {
      if (index < lines.length - 1) found.push(`${where} is no JSON`);
      continue;
    }
    if (line.seq !== undefined && line.seq !== seq + 1)
      found.push(`${where} has number ${line.seq} after ${seq}`);
    if (line.owner !== undefined && line.owner < owner)
      found.push(`${where} is by owner ${line.owner} after ${owner}`);
    if (line.check !== undefined && line.check !== checkOf(text, before))
      found.push(`${where} has a wrong check`);
    seq = line.seq ?? seq;
    owner = line.owner ?? owner;
    before = line.check ?? checkOf(text, '');
  }
  return found;
}

/** Over the check of the line before and the line without its own, which is its last field. */
function checkOf(line: string, before: string): string {
  const text = line.replace(/,"check":"[0-9a-f]{32}"\}$/, '}');
  return createHash('sha256').update(before).update(text).digest('hex').slice(0, 32);
}

function parseLine(text: string): RecordLine | null {
  try {
    return JSON.parse(text) as RecordLine;
  } catch {
    return null;
  }
}
