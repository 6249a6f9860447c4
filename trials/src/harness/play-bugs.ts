import {
  type OpenTrials,
  playBugApart,
  requirePlaces,
  type SeededBug,
  TrialError,
} from '@agent/simulators/trials';
import type { AnyTrialKind } from './kinds.ts';
import { toFailure } from './run-trials.ts';

type AnyBug = SeededBug<unknown>;

/** A seeded bug and the number of the trial that showed it; null if none did, or none could be played. */
interface BugPlays {
  readonly name: string;
  readonly plays: number | null;
}

/** Plays each seeded bug in a process of its own, and prints the results and a table. @returns the number of bugs not found */
export async function playBugs(
  kind: { readonly name: string; readonly kind: AnyTrialKind },
  { names, parallel }: { readonly names: readonly string[] | undefined; readonly parallel: number },
): Promise<number> {
  const waiting = kind.kind.bugs.map(({ name }) => name).filter((name) => names?.includes(name) ?? true);
  const unknown = names?.filter((name) => !waiting.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new TrialError(`--bug must be seeded bugs: there is no ${unknown.join(', ')}`, { code: 'usage' });
  const count = waiting.length;
  const rows: BugPlays[] = [];
  let lost = 0;
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const { isFound, plays, told } = await playBugApart(kind, name);
      if (!isFound) lost += 1;
      rows.push({ name, plays });
      console.log(told);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  console.log(formatPlays(rows));
  console.log(`${count} seeded bugs, ${lost} not found`);
  return lost;
}

/** Formats a table of seeded bugs and the trials that each took, with the mean of all found ones. */
export function formatPlays(rows: readonly BugPlays[]): string {
  const width = Math.max(10, ...rows.map(({ name }) => name.length));
  const found = rows.flatMap(({ plays }) => plays ?? []);
  const mean = found.reduce((sum, plays) => sum + plays, 0) / Math.max(1, found.length);
  return [
    `  ${'seeded bug'.padEnd(width)}  trials until found`,
    ...rows.map(({ name, plays }) => `  ${name.padEnd(width)}  ${plays ?? 'not found, or not played here'}`),
    `  ${'mean'.padEnd(width)}  ${mean.toFixed(1)}`,
  ].join('\n');
}

/** Plays the trials of a seeded bug with the programs of this process, which have it. @returns whether a trial showed it */
export async function playBug(kind: AnyTrialKind, name: string): Promise<boolean> {
  const bug = kind.bugs.find((one) => one.name === name);
  if (bug === undefined) throw new TrialError(`there is no seeded bug ${name}`, { code: 'usage' });
  // Without its place in the sources the fault would not exist, or the program would not start.
  await requirePlaces(bug.changes);
  const open = await kind.open({}, { hasBug: true });
  try {
    return await search(open, { bug, atOnce: kind.bugTrialsAtOnce ?? 1 });
  } finally {
    await open.close();
  }
}

async function search(
  open: OpenTrials<unknown>,
  { bug, atOnce }: { readonly bug: AnyBug; readonly atOnce: number },
): Promise<boolean> {
  const { name, does, finds } = bug;
  const what = `${name}: ${does}`;
  const others: string[] = [];
  const all = bug.trials();
  for (let at = 0; at < all.length; at += atOnce) {
    const playing = all.slice(at, at + atOnce).map((trial) => open.play(trial).catch(toFailure));
    for (const [index, { findings, missing, told }] of (await Promise.all(playing)).entries()) {
      if (typeof missing === 'string') {
        console.log(`${missing}  ${what}`);
        return true;
      }
      const shown = finds.map((one) => findings.find((finding) => isShown(finding, one)));
      if (shown.every((finding) => finding !== undefined)) {
        console.log(`found in ${at + index + 1} ${what}\n     ${told}: ${shown[0]?.slice(0, 200)}`);
        return true;
      }
      others.push(`${told}: ${findings.join('; ').slice(0, 800) || 'every promise held'}`);
    }
  }
  console.log(`NOT FOUND ${what}${others.map((other) => `\n     ${other}`).join('')}`);
  return false;
}

function isShown(finding: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? finding.includes(wanted) : wanted.test(finding);
}
