import { removeHidden, stripEscapes } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { Allowance, OpenedWorkspace, OutgoingWork } from '@agent/workspace';
import { type HeldItem, type HeldRecord, readAllowance, readHeld, writeHeld } from '../held/held-record.ts';
import type { Run } from '../run/run.ts';
import { isOutOfSight } from './is-out-of-sight.ts';

/** Runs the repository's checks in the worktree as it is; null if there are none. */
export type RunChecks = () => Promise<{ readonly passed: boolean } | null>;

export interface HoldChangesOptions {
  readonly workspace: Pick<OpenedWorkspace, 'outgoing'>;
  /** False where the model is asked first to remove possible secrets: then they are not held. */
  readonly holdsSecrets: boolean;
  readonly runChecks: RunChecks;
  readonly toMessage: (changedFiles: readonly string[]) => string;
  readonly redactOutgoing: Redact;
}

/**
 * Leaves out of the local branch what a person has to allow first, and keeps it in the run's state. Call it after the changes are
 * committed and before they are pushed. Repeating it gives the same result.
 *
 * @returns what may be pushed of the rest by people's words
 */
export async function holdChanges(run: Run, options: HoldChangesOptions): Promise<Allowance> {
  const { workspace, toMessage } = options;
  const allowance = await readAllowance(run.state);
  const record = await readHeld(run.state);
  const work = await workspace.outgoing.inspect({ allowance });
  if (work === null) {
    if (record.items.length > 0) await keep(run, { record, found: [], work, allowance });
    return allowance;
  }
  if (work.secrets.length > 0 && !(options.holdsSecrets || areKnown(work, record))) return allowance;
  const blocked = [...new Set([...work.held, ...work.secrets].map(({ path }) => path))];
  const found = [...toPathItems(work, options), ...toSecretItems(work)];
  const checks = await checkRest(options, { work, record, blocked, allowance });
  const holdsRest =
    work.rest !== null && checks?.passed !== true && !allowance.patches.includes(work.rest.id);
  if (work.rest !== null && holdsRest) found.push(toRestItem(work.rest, options));
  await keep(run, { record: { ...record, checks }, found, work, allowance });
  const paths = holdsRest ? [...blocked, ...(work.rest?.paths ?? [])] : blocked;
  if (paths.length > 0 || work.isBuried) await workspace.outgoing.leaveOut({ paths, toMessage });
  if (paths.length > 0) run.logger.warn({ paths }, 'held changes for a person to allow');
  return allowance;
}

function areKnown({ secrets }: OutgoingWork, { items }: HeldRecord): boolean {
  return secrets.every(({ path, sha256 }) =>
    items.some((item) => item.kind === 'secret' && item.path === path && item.id === sha256),
  );
}

type Found = Omit<HeldItem, 'number' | 'state'>;

/** Longest patch that a comment shows, and most of all together, in characters. */
const maxShownChars = 20_000;

function toPathItems({ held, secrets }: OutgoingWork, { redactOutgoing }: HoldChangesOptions): Found[] {
  return held.map(({ path, rule, id, patch, isAltered }) => {
    const hasSecret = secrets.some((secret) => secret.path === path);
    const lock = hasSecret ? 'secret' : findLock({ patch, isAltered }, redactOutgoing);
    const locked = lock ?? (isOutOfSight(patch ?? '') ? 'invisible' : null);
    return { kind: 'path', path, rule, id, patch: locked === null ? patch : null, line: null, locked };
  });
}

/** A patch that a reader would not see as it is cannot be allowed. */
function findLock(
  { patch, isAltered }: Pick<OutgoingWork['held'][number], 'patch' | 'isAltered'>,
  redactOutgoing: Redact,
): HeldItem['locked'] {
  if (patch === null) return 'binary';
  if (patch.length > maxShownChars) return 'long';
  if (redactOutgoing(patch) !== patch) return 'secret';
  const plain = patch.replaceAll('\r\n', '\n');
  return isAltered || plain.includes('\r') || removeHidden(plain) !== plain || stripEscapes(plain) !== plain
    ? 'invisible'
    : null;
}

function toSecretItems({ secrets }: OutgoingWork): Found[] {
  return secrets.map(({ path, line, kind, sha256, isOwn }) => ({
    kind: 'secret',
    path,
    rule: kind,
    id: isOwn ? '' : sha256,
    patch: null,
    line: typeof line === 'number' ? line : null,
    locked: isOwn ? 'own' : null,
  }));
}

function toRestItem(
  { id, patch, isAltered, paths }: NonNullable<OutgoingWork['rest']>,
  { redactOutgoing }: HoldChangesOptions,
): Found {
  const locked = findLock({ patch, isAltered }, redactOutgoing);
  const path = paths.join('\n');
  return { kind: 'rest', path, rule: '', id, patch: locked === null ? patch : null, line: null, locked };
}

/** Checks the rest once for each content. Null where nothing is held, or nothing is left. */
async function checkRest(
  { workspace, runChecks }: HoldChangesOptions,
  {
    work: { rest },
    record: { checks },
    blocked,
    allowance,
  }: {
    readonly work: OutgoingWork;
    readonly record: HeldRecord;
    readonly blocked: readonly string[];
    readonly allowance: Allowance;
  },
): Promise<HeldRecord['checks']> {
  if (rest === null || blocked.length === 0 || allowance.patches.includes(rest.id)) return null;
  if (checks?.id === rest.id) return checks;
  const result = await workspace.outgoing.without(blocked, runChecks);
  return { id: rest.id, passed: result?.passed ?? null };
}

/** Numbers what was found: an item keeps its number as long as it is the same. */
async function keep(
  run: Pick<Run, 'state'>,
  {
    record,
    found,
    work,
    allowance,
  }: {
    readonly record: HeldRecord;
    readonly found: readonly Found[];
    readonly work: OutgoingWork | null;
    readonly allowance: Allowance;
  },
): Promise<void> {
  const isSame = (one: Found, other: Found) =>
    one.kind === other.kind && one.id === other.id && one.path === other.path && one.line === other.line;
  const isAllowed = ({ kind, id, path }: Found) =>
    kind === 'secret'
      ? allowance.secrets.some((secret) => secret.path === path && secret.sha256 === id)
      : allowance.patches.includes(id) || allowance.paths.includes(path);
  const before = record.items.map((item): HeldItem => {
    if (item.state === 'released') return item;
    const again = found.find((one) => isSame(one, item));
    if (again !== undefined) return { ...item, ...again, state: 'held' };
    // The rest goes with the last protected path.
    const isReleased = isAllowed(item) || (item.kind === 'rest' && found.length === 0);
    return { ...item, state: isReleased ? 'allowed' : 'gone' };
  });
  const added = found.filter((one) => !before.some((item) => isSame(item, one)));
  const items = [
    ...before,
    ...added.map((one, index): HeldItem => {
      return { ...one, number: before.length + index + 1, state: 'held' };
    }),
  ];
  const drafts = [...new Set([...record.drafts, ...(work?.drafts ?? [])])];
  await writeHeld(run.state, { ...record, items: fitShown(items), drafts });
}

/** Locks the items for which the comment has no room. */
function fitShown(items: readonly HeldItem[]): HeldItem[] {
  let room = 2 * maxShownChars;
  return items.map((item) => {
    if (item.state !== 'held' || item.patch === null) return item;
    if (item.patch.length > room) return { ...item, patch: null, locked: 'long' };
    room -= item.patch.length;
    return item;
  });
}
