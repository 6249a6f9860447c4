import { z } from 'zod';
import { ContextStoreError } from '../context-store-error.ts';
import type { FactEntry } from '../journal-model.ts';
import type { IntentResult, NewIntent, Outbox, OutboxEntry } from '../ports.ts';
import type { Json } from '../run-model.ts';

/** Facts that the outbox is made of; `ended` holds the intents that follow from the end. */
export const intentFacts = { opened: 'intent', settled: 'settled', ended: 'ended' } as const;

const json = z.custom<Json>((value) => value !== undefined);
const intentSchema = z.object({ id: z.string(), kind: z.string(), data: json });
const settledSchema = z.discriminatedUnion('state', [
  z.object({ id: z.string(), state: z.literal('done'), made: json }),
  z.object({ id: z.string(), state: z.literal('given-up'), by: z.string(), reason: z.string() }),
]);
const endedSchema = z.object({ intents: z.array(intentSchema) });

/** The intents of a run and what became of them, as its facts say. */
export interface OutboxLedger {
  /** Ignores facts that are none of the outbox's. */
  readonly apply: (fact: FactEntry) => void;
  readonly find: (id: string) => OutboxEntry | undefined;
  /** Finds what was opened. @throws {ContextStoreError} `invalid` for an id that was not */
  readonly get: (id: string) => OutboxEntry;
  /** In the order in which they were opened. */
  readonly list: () => readonly OutboxEntry[];
}

export function createOutboxLedger(): OutboxLedger {
  const entries = new Map<string, OutboxEntry>();
  const open = ({ id, kind, data }: NewIntent, openedAt: string) => {
    if (!entries.has(id)) entries.set(id, { id, kind, data, openedAt, state: 'open' });
  };
  return {
    get: (id) => {
      const entry = entries.get(id);
      if (entry === undefined) throw isUnknownIntent(id);
      return entry;
    },
    apply: ({ name, data, timestamp }) => {
      if (name === intentFacts.opened) open(intentSchema.parse(data), timestamp);
      if (name === intentFacts.ended)
        for (const intent of endedSchema.parse(data).intents) open(intent, timestamp);
      if (name !== intentFacts.settled) return;
      const { id, ...result } = settledSchema.parse(data);
      const entry = entries.get(id);
      if (entry?.state !== 'open') return;
      const { kind, openedAt } = entry;
      entries.set(id, { id, kind, data: entry.data, openedAt, settledAt: timestamp, ...result });
    },
    find: (id) => entries.get(id),
    list: () => [...entries.values()],
  };
}

interface OutboxParts {
  /** Reads the ledger as it is. */
  readonly readLedger: () => Promise<OutboxLedger>;
  /** Appends a fact to the record of the run, synced. */
  readonly append: (fact: { readonly name: string; readonly data: Json }) => Promise<void>;
  /** Reads and writes in the order of all writes of the run. Default: nothing else writes. */
  readonly inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** The outbox of a run, whether it is open or not: each intent is opened once, and its first result stands. */
export function createOutbox({ readLedger, append, inTurn = (work) => work() }: OutboxParts): Outbox {
  return {
    open: async (intent) => {
      const data: Json = { ...requireIntent(intent) };
      return inTurn(async () => {
        const known = (await readLedger()).find(intent.id);
        if (known !== undefined) return known;
        await append({ name: intentFacts.opened, data });
        return (await readLedger()).get(intent.id);
      });
    },
    settle: async (id, result) => {
      const data = toSettled(id, result);
      const ledger = await inTurn(readLedger);
      // Before its turn: a mistake of the caller is no failed write.
      ledger.get(id);
      await inTurn(async () => {
        if (ledger.get(id).state === 'open') await append({ name: intentFacts.settled, data });
      });
    },
    list: async () => (await readLedger()).list(),
  };
}

/** Kinds of the open intents, in their order. */
export function listOpenKinds(outbox: Pick<OutboxLedger, 'list'>): readonly string[] {
  return outbox.list().flatMap(({ state, kind }) => (state === 'open' ? [kind] : []));
}

/**
 * Tells a caller's mistake before anything is written.
 * @throws {ContextStoreError} `invalid`, for what is no intent
 */
export function requireIntent(intent: NewIntent): NewIntent {
  const { success, data } = intentSchema.safeParse(intent);
  if (success) return data;
  throw isInvalid('An intent has an id, a kind and data that JSON can represent. Fix the call.');
}

/** Makes the data of the fact that settles an intent. @throws {ContextStoreError} `invalid`, for what is no result */
function toSettled(id: string, result: IntentResult): Json {
  const { success, data } = settledSchema.safeParse({ id, ...result });
  if (success) return data;
  throw isInvalid(`The result of intent ${JSON.stringify(id)} is neither done nor given up. Fix the call.`);
}

/** Says that nobody opened an intent. */
function isUnknownIntent(id: string): ContextStoreError {
  return isInvalid(`No intent ${JSON.stringify(id)} was opened in this run. Open it first.`);
}

/** @throws {ContextStoreError} `invalid` for a run that still has something to do */
export function requireNoOpenIntents(uuid: string, outbox: Pick<OutboxLedger, 'list'>): void {
  const open = outbox.list().filter(({ state }) => state === 'open');
  if (open.length === 0) return;
  const names = open.slice(0, 5).map(({ id }) => JSON.stringify(id));
  throw isInvalid(`Run ${uuid} still has open intents: ${names.join(', ')}. Complete or discard them first.`);
}

function isInvalid(message: string): ContextStoreError {
  return new ContextStoreError(message, { code: 'invalid' });
}
