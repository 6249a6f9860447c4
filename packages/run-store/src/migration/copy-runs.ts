import { checkOptions, type Expectation, type ExpectationsOf, expected, isObject } from '@agent/text/options';
import { ContextStoreError } from '../context-store-error.ts';
import type { ControlVerb } from '../controls/run-controls.ts';
import type { Json } from '../journal-model.ts';
import { movedNote, readMoved } from '../moved-note.ts';
import type { Ownership } from '../ports.ts';
import type { DamagedRun } from '../run-model.ts';
import type { RunStorage, StorageTransfer, TransferredRun } from '../storage.ts';

/** Places between which runs are copied. */
export interface CopyRunsOptions {
  readonly from: RunStorage;
  readonly to: RunStorage;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const expectStorage: Expectation = {
  isMet: (value) => isObject(value) && isObject(value['members']) && isObject(value['notes']),
  text: 'a storage, such as createFileStorage returns',
};

const expectations: ExpectationsOf<CopyRunsOptions> = {
  from: expectStorage,
  to: expectStorage,
  now: expected.function,
};

/** Numbers of what was copied, and what was not. */
export interface CopiedRuns {
  /** Runs that were written at the other place. */
  readonly copied: number;
  /** Runs that were there already, as they are or further. */
  readonly there: number;
  /** Runs that were left as they are, each with why. */
  readonly left: readonly DamagedRun[];
  /** Notes that were written. */
  readonly notes: number;
  /** Runs copied at work or paused, whose snapshot of files stays at the source alone. */
  readonly withoutSnapshot: number;
  /** Accounts of what runs spend that were copied. */
  readonly accounts: number;
}

/** A run with such a failure is left as it is. */
const leftCodes = new Set(['damaged', 'other-version']);

/**
 * Copies all that is kept in one place to another: runs at work, paused and ended, line by line with their checks and state,
 * their controls, the pause signal, the notes and what was spent. Nothing is removed at the source. A run is there whole or not at all, so that
 * it can be ended at any moment and begun again; of a run that is at both places the longer record stays.
 * @throws {ContextStoreError} `owned` where processes work in one of the places
 *
 * @example
 * const { copied, left } = await copyRuns({ from: files, to: database });
 */
export async function copyRuns(options: CopyRunsOptions): Promise<CopiedRuns> {
  checkOptions('CopyRunsOptions', options, expectations, ['from', 'to']);
  const { from, to, now = Date.now } = options;
  await requireNobody(from);
  await requireNobody(to);
  const source = await from.members.acquire({ exclusive: true });
  try {
    const target = await to.members.acquire({ exclusive: true });
    try {
      return await copyOwned({ from, to, target, now });
    } finally {
      await target.release();
    }
  } finally {
    await source.release();
  }
}

async function requireNobody({ members, location }: Pick<RunStorage, 'location' | 'members'>): Promise<void> {
  const [member] = await members.list();
  if (member === undefined) return;
  const message = `Process ${member.pid} on ${member.host} works in ${location}. Stop every daemon there first; a killed daemon counts as running for another half minute.`;
  throw new ContextStoreError(message, { code: 'owned' });
}

interface Copying {
  readonly from: RunStorage;
  readonly to: RunStorage;
  readonly target: Ownership;
  readonly now: () => number;
}

async function copyOwned({ from, to, target, now }: Copying): Promise<CopiedRuns> {
  const [source, destination] = [requireTransfer(from), requireTransfer(to)];
  // Done before: the other place may have gone on since.
  const isRepeated = (await readMoved(from))?.to === to.location;
  const isReturn = (await readMoved(to))?.to === from.location;
  const there = await destination.listRuns();
  const counts = { copied: 0, there: 0, withoutSnapshot: 0 };
  const left: DamagedRun[] = [];
  for (const [uuid, place] of await source.listRuns()) {
    const run = source.openRun(uuid, place);
    const known = there.get(uuid);
    try {
      if (known !== undefined && (await isBehind(run, destination.openRun(uuid, known)))) counts.there += 1;
      else {
        await target.guard(() => destination.writeRun(run));
        counts.copied += 1;
        if (place !== 'completed' && (await hasSnapshot(uuid, from))) counts.withoutSnapshot += 1;
      }
      if (!isRepeated) await copyControls(uuid, { from, to });
    } catch (error) {
      if (!ContextStoreError.isInstance(error) || !leftCodes.has(error.code)) throw error;
      left.push({ name: uuid, reason: error.message });
    }
  }
  const notes = await copyNotes({ from, to }, { isRepeated, isReturn });
  const accounts = await copyAccounts({ from, to, target });
  await to.upkeep.rebuildIndex();
  await to.notes.write(movedNote, null);
  await from.notes.write(movedNote, { to: to.location, at: new Date(now()).toISOString() });
  return { ...counts, left, notes, accounts };
}

function requireTransfer({ transfer, location }: Pick<RunStorage, 'location' | 'transfer'>): StorageTransfer {
  if (transfer !== undefined) return transfer;
  const message = `The runs in ${location} cannot be copied. Use files or a database.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

/**
 * Tells whether a run says nothing that its copy does not say.
 * @throws {ContextStoreError} `damaged` where each says something else
 */
async function isBehind(run: TransferredRun, copy: TransferredRun): Promise<boolean> {
  const [ours, theirs] = [await readChecks(run), await readChecks(copy)];
  const shared = Math.min(ours.length, theirs.length);
  if (shared > 0 && ours[shared - 1] !== theirs[shared - 1]) throw saysOther(run.uuid, shared);
  if (ours.length !== theirs.length) return ours.length < theirs.length;
  // Its last line is the same where a run was not moved yet.
  return run.place === copy.place || copy.place === 'completed';
}

async function readChecks({ readChain }: TransferredRun): Promise<readonly string[]> {
  const checks: string[] = [];
  for await (const lines of readChain()) for (const { check } of lines) checks.push(check);
  return checks;
}

type Places = Pick<Copying, 'from' | 'to'>;

async function hasSnapshot(uuid: string, { snapshots }: Pick<RunStorage, 'snapshots'>): Promise<boolean> {
  return ((await snapshots?.read(uuid)) ?? null) !== null;
}

async function copyControls(uuid: string, { from, to }: Places): Promise<void> {
  const asked = await from.controls.read(uuid);
  const stale: readonly ControlVerb[] = (await to.controls.read(uuid)).filter(
    (verb) => !asked.includes(verb),
  );
  await to.controls.remove(uuid, stale);
  for (const verb of asked) await to.controls.request(uuid, verb);
}

/** Reasons for what the two places have. */
interface Course {
  /** True where all was copied the same way before: what the other place has is the newer. */
  readonly isRepeated: boolean;
  /** True where all went the other way before: what the other place has is the older. */
  readonly isReturn: boolean;
}

async function copyNotes({ from, to }: Places, { isRepeated, isReturn }: Course): Promise<number> {
  const [ours, theirs] = await Promise.all([from, to].map((one) => requireTransfer(one).listNotes()));
  const known = new Set(theirs);
  const copied = (ours ?? []).filter((name) => name !== movedNote && !(isRepeated && known.has(name)));
  for (const name of copied) await to.notes.write(name, (await from.notes.read(name)) as Json);
  if (isReturn) {
    const gone = (theirs ?? []).filter((name) => name !== movedNote && !(ours ?? []).includes(name));
    for (const name of gone) await to.notes.write(name, null);
    if (!(await from.pauseSignal.isSet())) await to.pauseSignal.clear();
  }
  const pause = isRepeated ? null : await from.pauseSignal.read();
  if (pause !== null) await to.pauseSignal.set({ by: pause.by ?? undefined });
  return copied.length;
}

/** Copies what was spent. Of an account at both places the larger amount stays; what is reserved by processes that are gone counts as spent. */
async function copyAccounts({ from, to, target }: Omit<Copying, 'now'>): Promise<number> {
  if (from.accounts === undefined || to.accounts === undefined) return 0;
  const accounts = (await from.accounts.list()).map((account) => ({
    ...account,
    spentMicros: account.spentMicros + account.reservedMicros,
    presumedMicros: account.presumedMicros + account.reservedMicros,
    reservedMicros: 0,
  }));
  if (accounts.length > 0) await to.accounts.raise(accounts, { owner: target });
  return accounts.length;
}

function saysOther(uuid: string, line: number): ContextStoreError {
  const message = `Run ${uuid} continued in both places: its records differ at line ${line} or before. Decide which one to keep, and remove the other.`;
  return new ContextStoreError(message, { code: 'damaged' });
}
