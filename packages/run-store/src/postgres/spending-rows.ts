import { toSystemCode } from '../context-store-error.ts';
import type { RecordOwner } from '../ports.ts';
import {
  type AccountLimit,
  type AccountSpending,
  judgeReservation,
  type KeptAccount,
  keptDays,
  type SpendingAccounts,
  type SpendingLedger,
  type SpendingReservation,
} from '../spending/spending-ledger.ts';
import { isThere } from './membership.ts';
import type { Schema } from './schema.ts';

/** State of an account that was never used. */
const unused = { spentMicros: 0, presumedMicros: 0, reservedMicros: 0 };

/**
 * Keeps what runs spend as rows that the processes of a place share: each reservation and each settlement is one statement. What
 * a process reserved that is gone counts as spent, once that is in somebody's way and at the first use by a process.
 */
export function createSpendingRows(
  schema: Schema,
  { owner }: { readonly owner: Pick<RecordOwner, 'number'> },
): SpendingLedger {
  const { database, at } = schema;
  let tidying: Promise<unknown> | null = null;

  async function tidyOnce(): Promise<void> {
    tidying ??= settleAbandoned(schema).catch((error: unknown) => {
      tidying = null;
      throw error;
    });
    await tidying;
  }

  async function read(names: readonly string[]): Promise<readonly AccountSpending[]> {
    const rows = await database.query<AccountSpending>(
      `SELECT account AS name, spent::float8 AS "spentMicros", presumed::float8 AS "presumedMicros",
         reserved::float8 AS "reservedMicros" FROM ${at}.spending WHERE account = ANY ($1)`,
      [names],
    );
    return names.map((name) => rows.find((row) => row.name === name) ?? { name, ...unused });
  }

  return {
    read: async (names) => {
      await tidyOnce();
      return read(names);
    },
    reserve: async (reservation) => {
      await tidyOnce();
      for (let isTidy = false; ; ) {
        if (await take(schema, { ...reservation, owner: owner.number })) return { kind: 'granted' };
        const { accounts } = reservation;
        const answer = judgeReservation(await read(accounts.map(({ name }) => name)), accounts);
        if (isTidy && answer.kind !== 'granted') return answer;
        // Some of it may be reserved by nobody any more, or was settled meanwhile.
        await settleAbandoned(schema);
        isTidy = true;
      }
    },
    settle: async (id, { micros, isPresumed }) => {
      await database.query(
        `WITH settled AS (DELETE FROM ${at}.reservations WHERE id = $1 RETURNING micros, accounts),
         ours AS (
           SELECT account, settled.micros FROM ${at}.spending JOIN settled ON account = ANY (settled.accounts)
           ORDER BY account FOR UPDATE OF spending
         )
         UPDATE ${at}.spending AS kept SET spent = spent + $2, reserved = reserved - ours.micros,
           presumed = presumed + CASE WHEN $3 THEN $2 ELSE 0 END, used_at = now()
         FROM ours WHERE kept.account = ours.account`,
        [id, micros, isPresumed],
      );
    },
  };
}

/** Opens these rows for those who look at them, and who copy them. */
export function createAccountRows(schema: Schema): SpendingAccounts {
  const { database, at } = schema;
  return {
    list: (names) =>
      database.query<KeptAccount>(
        `SELECT account AS name, spent::float8 AS "spentMicros", presumed::float8 AS "presumedMicros",
           reserved::float8 AS "reservedMicros", extract(epoch FROM used_at)::float8 * 1000 AS "usedAt"
         FROM ${at}.spending WHERE $1::text[] IS NULL OR account = ANY ($1) ORDER BY account`,
        [names ?? null],
      ),
    forget: (names, { owner }) =>
      owner.guard(async () => {
        await database.query(`DELETE FROM ${at}.spending WHERE account = ANY ($1)`, [names]);
      }),
    raise: (accounts, { owner }) =>
      owner.guard(async () => {
        await settleAbandoned(schema);
        await database.query(
          `INSERT INTO ${at}.spending AS kept (account, spent, presumed, reserved, "limit", used_at)
           SELECT name, spent, presumed, 0, NULL, to_timestamp(used / 1000)
           FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::float8[]) AS given (name, spent, presumed, used)
           ON CONFLICT (account) DO UPDATE SET spent = GREATEST(kept.spent, EXCLUDED.spent),
             presumed = GREATEST(kept.presumed, EXCLUDED.presumed), used_at = GREATEST(kept.used_at, EXCLUDED.used_at)`,
          [
            accounts.map(({ name }) => name),
            accounts.map(({ spentMicros }) => spentMicros),
            accounts.map(({ presumedMicros }) => presumedMicros),
            accounts.map(({ usedAt }) => usedAt),
          ],
        );
      }),
  };
}

/** False where a limit is reached: then nothing was taken. Sent again, it changes nothing. */
async function take(
  { database, at }: Schema,
  { id, owner, micros, accounts }: SpendingReservation & { readonly owner: number },
): Promise<boolean> {
  const distinct = [...new Map(accounts.map((account) => [account.name, account])).values()];
  const names = distinct.map(({ name }) => name);
  try {
    await database.query(
      `WITH made AS (
         INSERT INTO ${at}.reservations (id, owner, micros, accounts) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO NOTHING RETURNING micros
       )
       INSERT INTO ${at}.spending AS kept (account, spent, presumed, reserved, "limit", used_at)
       SELECT name, 0, 0, CASE WHEN bound <= 0 THEN NULL ELSE made.micros END, bound, now()
       FROM unnest($4::text[], $5::bigint[]) AS given (name, bound), made ORDER BY name
       ON CONFLICT (account) DO UPDATE SET used_at = now(), "limit" = EXCLUDED."limit", reserved = CASE
         WHEN EXCLUDED."limit" IS NULL OR kept.spent + kept.reserved < EXCLUDED."limit"
         THEN kept.reserved + EXCLUDED.reserved END`,
      [id, owner, micros, names, distinct.map(toLimit)],
    );
    return true;
  } catch (error) {
    // A limit that is reached leaves no number for what is reserved, and the whole statement is undone.
    if (toSystemCode((error as { cause?: unknown }).cause) === '23502') return false;
    throw error;
  }
}

function toLimit({ limitMicros }: AccountLimit): number | null {
  return limitMicros;
}

/** Counts what was reserved by processes that are members no more, or were silent for too long, as spent, and forgets accounts that were not used for long. */
async function settleAbandoned({ database, at }: Schema): Promise<void> {
  await database.query(
    `WITH gone AS (
       DELETE FROM ${at}.reservations WHERE id IN (
         SELECT id FROM ${at}.reservations
         WHERE NOT EXISTS (SELECT FROM ${at}.members WHERE number = reservations.owner AND ${isThere})
         FOR UPDATE SKIP LOCKED
       ) RETURNING micros, accounts
     ), sums AS (
       SELECT account, sum(micros)::bigint AS micros FROM gone, unnest(accounts) AS account GROUP BY account
     ), ours AS (
       SELECT account, sums.micros FROM ${at}.spending JOIN sums USING (account) ORDER BY account FOR UPDATE OF spending
     ), unused AS (
       DELETE FROM ${at}.spending WHERE used_at < now() - interval '${keptDays} days' AND reserved = 0
     )
     UPDATE ${at}.spending AS kept SET spent = spent + ours.micros, presumed = presumed + ours.micros,
       reserved = reserved - ours.micros
     FROM ours WHERE kept.account = ours.account`,
    [],
  );
}
