import { z } from 'zod';
import type { RecordOwner } from '../ports.ts';
import {
  type AccountSpending,
  type CallCost,
  judgeReservation,
  type KeptAccount,
  keptDays,
  type SpendingAnswer,
  type SpendingLedger,
  type SpendingReservation,
} from './spending-ledger.ts';

const micros = z.number().int().min(0);

/** Line of the file in which spending is kept: the state of an account, a reservation, or its settlement. */
const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('account'),
    name: z.string(),
    spent: micros,
    presumed: micros,
    used_at: z.number(),
  }),
  z.object({
    type: z.literal('reserved'),
    id: z.string(),
    owner: z.number(),
    micros,
    accounts: z.array(z.string()),
    at: z.number(),
  }),
  z.object({ type: z.literal('settled'), id: z.string(), micros, presumed: z.boolean() }),
]);

/** Something that changes accounts. */
export type SpendingLine = z.infer<typeof lineSchema>;

/** Reads a line back. @throws when it is none */
export function parseSpendingLine(text: string): SpendingLine {
  return lineSchema.parse(JSON.parse(text));
}

type Reserved = Extract<SpendingLine, { type: 'reserved' }>;

interface Account {
  spent: number;
  presumed: number;
  usedAt: number;
}

/** Remembers what its lines say, of all owners; whoever keeps lines applies each once it is kept. */
export class SpendingBook {
  readonly #accounts = new Map<string, Account>();
  readonly #open = new Map<string, Reserved>();

  /** Tells whether a reservation is open. */
  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Answers a reservation; one that is open is granted. */
  judge({ id, accounts }: SpendingReservation): SpendingAnswer {
    if (this.has(id)) return { kind: 'granted' };
    return judgeReservation(this.read(accounts.map(({ name }) => name)), accounts);
  }

  /** The line that settles a reservation; null where there is nothing to settle. */
  toSettled(id: string, { micros, isPresumed }: CallCost): SpendingLine | null {
    return this.has(id) ? { type: 'settled', id, micros, presumed: isPresumed } : null;
  }

  /** Reads accounts, in the order in which they are named. */
  read(names: readonly string[]): readonly AccountSpending[] {
    const open = [...this.#open.values()];
    return names.map((name) => {
      const { spent = 0, presumed = 0 } = this.#accounts.get(name) ?? {};
      const reserved = open.filter(({ accounts }) => accounts.includes(name));
      const reservedMicros = reserved.reduce((sum, one) => sum + one.micros, 0);
      return { name, spentMicros: spent, presumedMicros: presumed, reservedMicros };
    });
  }

  /** Lists every account that was used. */
  list(): readonly KeptAccount[] {
    const open = [...this.#open.values()];
    const names = new Set([...this.#accounts.keys(), ...open.flatMap(({ accounts }) => accounts)]);
    return this.read([...names]).map((account) => {
      const reservedAt = open.flatMap(({ accounts, at }) => (accounts.includes(account.name) ? [at] : []));
      return { ...account, usedAt: Math.max(this.#accounts.get(account.name)?.usedAt ?? 0, ...reservedAt) };
    });
  }

  /** Raises an account to what was spent elsewhere, and never lowers it. */
  raise({ name, spentMicros, presumedMicros, usedAt }: Omit<KeptAccount, 'reservedMicros'>): void {
    const {
      spent,
      presumed,
      usedAt: last,
    } = this.#accounts.get(name) ?? { spent: 0, presumed: 0, usedAt: 0 };
    this.#accounts.set(name, {
      spent: Math.max(spent, spentMicros),
      presumed: Math.max(presumed, presumedMicros),
      usedAt: Math.max(last, usedAt),
    });
  }

  /** Forgets an account. */
  forget(name: string): void {
    this.#accounts.delete(name);
    for (const [id, line] of this.#open) {
      const accounts = line.accounts.filter((other) => other !== name);
      this.#open.set(id, { ...line, accounts });
    }
  }

  /** Counts the reservations of owners that are gone as spent: their calls may have been billed. */
  settleAbandoned(isGone: (owner: number) => boolean): void {
    for (const { id, owner, micros } of [...this.#open.values()]) {
      if (isGone(owner)) this.apply({ type: 'settled', id, micros, presumed: true });
    }
  }

  apply(line: SpendingLine): void {
    if (line.type === 'account') {
      const { name, spent, presumed, used_at: usedAt } = line;
      this.#accounts.set(name, { spent, presumed, usedAt });
    } else if (line.type === 'reserved') {
      this.#open.set(line.id, line);
    } else {
      this.#settle(line);
    }
  }

  #settle({ id, micros, presumed }: Extract<SpendingLine, { type: 'settled' }>): void {
    const reserved = this.#open.get(id);
    if (reserved === undefined) return;
    this.#open.delete(id);
    for (const name of new Set(reserved.accounts)) {
      const account = this.#accounts.get(name) ?? { spent: 0, presumed: 0, usedAt: 0 };
      account.spent += micros;
      if (presumed) account.presumed += micros;
      account.usedAt = Math.max(account.usedAt, reserved.at);
      this.#accounts.set(name, account);
    }
  }

  /** The fewest lines that say the same; accounts that were not used for long are left out. */
  toLines(now: number): readonly SpendingLine[] {
    const since = now - keptDays * 86_400_000;
    const accounts = [...this.#accounts].filter(([, { usedAt }]) => usedAt >= since);
    return [
      ...accounts.map(([name, { spent, presumed, usedAt }]) => {
        return { type: 'account' as const, name, spent, presumed, used_at: usedAt };
      }),
      ...this.#open.values(),
    ];
  }
}

interface BookUse {
  readonly owner: Pick<RecordOwner, 'number'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Uses the book while nothing else does. `keep` stores a line, and has the book apply it. */
  readonly use: <Result>(
    work: (book: SpendingBook, keep: (line: SpendingLine) => Promise<void>) => Promise<Result>,
  ) => Promise<Result>;
}

/** Creates a ledger over a book, wherever its lines are stored. */
export function createBookLedger({ owner, now, use }: BookUse): SpendingLedger {
  return {
    reserve: (reservation) =>
      use(async (book, keep) => {
        const { id, micros, accounts } = reservation;
        const answer = book.judge(reservation);
        if (answer.kind !== 'granted' || book.has(id)) return answer;
        const names = accounts.map(({ name }) => name);
        await keep({ type: 'reserved', id, owner: owner.number, micros, accounts: names, at: now() });
        return answer;
      }),
    settle: (id, cost) =>
      use(async (book, keep) => {
        const line = book.toSettled(id, cost);
        if (line !== null) await keep(line);
      }),
    read: (accounts) => use(async (book) => book.read(accounts)),
  };
}
