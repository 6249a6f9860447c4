import type { JsonObject, RunState } from '@agent/run-store';
import type { Allowance } from '@agent/workspace';
import { z } from 'zod';

const itemSchema = z.object({
  /** Number behind `H`, from 1. A changed patch gets another number. */
  number: z.number().int().min(1),
  /** `path`: change of a protected path; `secret`: possible secret; `rest`: all other changes, which the checks did not pass alone. */
  kind: z.enum(['path', 'secret', 'rest']),
  path: z.string(),
  /** Pattern, or kind of the secret. */
  rule: z.string(),
  /** SHA-256 of the patch, or of the possible secret; empty where it must not be shown. */
  id: z.string(),
  /** Patch as the comment shows it; null for a secret and for what cannot be shown. */
  patch: z.string().nullable(),
  /** Line of a secret in the new file; null for its name, for the whole file and for other kinds. */
  line: z.number().nullable(),
  /** Reason why it cannot be allowed by its number; null if it can. */
  locked: z.enum(['long', 'binary', 'invisible', 'secret', 'own']).nullable(),
  /** `allowed`: about to be pushed; `released`: pushed; `gone`: no longer part of the changes. */
  state: z.enum(['held', 'allowed', 'released', 'gone']),
});

const recordSchema = z.object({
  items: z.array(itemSchema),
  /** Paths that were pushed and are named in the report. */
  drafts: z.array(z.string()),
  /** Result of the repository's checks without the held files, and the id of what was checked. */
  checks: z.object({ id: z.string(), passed: z.boolean().nullable() }).nullable(),
  /** Paths that were named before the run. */
  paths: z.array(z.string()),
  /** Refusal of the server when allowed items were pushed; null for none. */
  problem: z.string().nullable(),
  /** End of the wait (ISO 8601); null before the first one. */
  until: z.string().nullable(),
  /** Comment that shows the items, to the letter; empty before it is composed. */
  comment: z.string(),
});

/** A held change, as people are shown it. */
export type HeldItem = z.infer<typeof itemSchema>;

/** Held changes of a run. A value of its state, and so a line of its record; only the process that runs it writes it. */
export type HeldRecord = z.infer<typeof recordSchema>;

/** Name of the value of a run's state. */
export const heldRecordName = 'held.json';

const nothingHeld: HeldRecord = {
  items: [],
  drafts: [],
  checks: null,
  paths: [],
  problem: null,
  until: null,
  comment: '',
};

/** Reads a value that was stored; null if it cannot be read. */
export function parseHeld(value: unknown): HeldRecord | null {
  return recordSchema.safeParse(value).data ?? null;
}

/** Reads what is held of a run's changes. */
export async function readHeld(state: Pick<RunState, 'read'>): Promise<HeldRecord> {
  const value = await state.read(heldRecordName);
  return value === null ? nothingHeld : recordSchema.parse(value);
}

/** Keeps it. */
export function writeHeld(state: Pick<RunState, 'write'>, record: HeldRecord): Promise<void> {
  return state.write(heldRecordName, record satisfies JsonObject);
}

const allowedSchema = z.object({
  allowed: z.array(
    z.object({
      kind: itemSchema.shape.kind,
      path: z.string(),
      id: z.string(),
      /** Login of the user who allowed it. */
      by: z.string(),
    }),
  ),
});

/** Items that users have allowed, each by its id. Written by the process that receives the command. */
export type AllowedItem = z.infer<typeof allowedSchema>['allowed'][number];

const allowedName = 'allowed.json';

/** Reads what users have allowed. */
export async function readAllowed(state: Pick<RunState, 'read'>): Promise<readonly AllowedItem[]> {
  const value = await state.read(allowedName);
  return value === null ? [] : allowedSchema.parse(value).allowed;
}

/** Takes allowances back that the server did not accept: a person has to act. */
export async function withdrawAllowed(
  state: Pick<RunState, 'read' | 'write'>,
  problem: string,
): Promise<void> {
  const record = await readHeld(state);
  const refused = new Set(record.items.flatMap(({ state: at, id }) => (at === 'allowed' ? [id] : [])));
  const allowed = (await readAllowed(state)).filter(({ id }) => !refused.has(id));
  await state.write(allowedName, { allowed });
  await writeHeld(state, { ...record, paths: [], problem });
}

/** Keeps that what was allowed is pushed. */
export async function confirmReleased(state: Pick<RunState, 'read' | 'write'>): Promise<void> {
  const record = await readHeld(state);
  if (!record.items.some(({ state: at }) => at === 'allowed')) return;
  const items = record.items.map((item) =>
    item.state === 'allowed' ? { ...item, state: 'released' as const } : item,
  );
  await writeHeld(state, { ...record, items, problem: null });
}

/**
 * Keeps that a user allowed the items which a command names: `H1`, `H1 H3`, `H1, H3`. All of them or none.
 *
 * @returns false if it names nothing, or something that is not held or cannot be allowed
 */
export async function allowItems(
  state: Pick<RunState, 'read' | 'write'>,
  { argument, by }: { readonly argument: string; readonly by: string },
): Promise<boolean> {
  const names = argument.split(/[\s,、]+/u).filter((name) => name !== '');
  const { items } = await readHeld(state);
  const found = names.map((name) => {
    const number = /^H(\d{1,6})$/iu.exec(name.normalize('NFKC'))?.[1];
    return items.find((item) => item.number === Number(number) && isAllowable(item));
  });
  const named = found.filter((item) => item !== undefined);
  if (named.length === 0 || named.length < names.length) return false;
  const before = await readAllowed(state);
  const added = named
    .map(({ kind, path, id }) => ({ kind, path, id, by }))
    .filter((item) => !before.some((one) => one.id === item.id && one.path === item.path));
  await state.write(allowedName, { allowed: [...before, ...added] });
  return true;
}

/** Tells whether `/allow` can release an item. */
export function isAllowable({ state, locked }: HeldItem): boolean {
  return state === 'held' && locked === null;
}

/** Lists the items that wait for a person. */
export function listOpen({ items }: Pick<HeldRecord, 'items'>): readonly HeldItem[] {
  return items.filter(({ state }) => state === 'held');
}

/** Counts the changes without which a waiting run does not continue; 0 for a run that does not wait for them. */
export async function countHeld(state: Pick<RunState, 'read'>): Promise<number> {
  const record = await readHeld(state);
  return record.until === null ? 0 : listOpen(record).length;
}

/** Tells whether an item that waits has been allowed since: then the run delivers again. */
export async function hasAllowedItem(state: Pick<RunState, 'read'>): Promise<boolean> {
  const allowed = await readAllowed(state);
  const open = listOpen(await readHeld(state));
  return open.some(({ id, path }) => allowed.some((one) => one.id === id && one.path === path));
}

/** Reads what may be pushed of a run's changes, by people's words. */
export async function readAllowance(state: Pick<RunState, 'read'>): Promise<Allowance> {
  const allowed = await readAllowed(state);
  const { paths } = await readHeld(state);
  return {
    paths,
    patches: allowed.flatMap(({ kind, id }) => (kind === 'secret' ? [] : [id])),
    secrets: allowed.flatMap(({ kind, path, id }) => (kind === 'secret' ? [{ path, sha256: id }] : [])),
  };
}
