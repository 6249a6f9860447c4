import { ContextStoreError } from '../context-store-error.ts';
import type { RecordPosition } from '../ports.ts';
import type { RunMetadata, RunPlace } from '../run-model.ts';
import { hasOther, wasTaken } from '../store/run-errors.ts';
import type { Schema } from './schema.ts';

/** Place and end of a run, and its writer. */
export interface RunRow extends RecordPosition {
  readonly place: RunPlace;
  /** Number of the opening that may write. */
  readonly owner: number;
  /** True while the process that asks is a member. */
  readonly isMember: boolean;
}

/** Writer of a run: the process, and its opening. */
export interface Writer {
  readonly uuid: string;
  /** Number of the process. */
  readonly member: number;
  /** Number of the opening. */
  readonly owner: number;
}

/** A line that was sealed. */
export interface SealedText extends RecordPosition {
  /** Without its end. */
  readonly text: string;
  /** Name of the fact; null for a message. */
  readonly fact: string | null;
  /** Value of the run's state that the line says; null for none. */
  readonly state: { readonly name: string; readonly value: string } | null;
}

/** A run that is to be made. */
export interface NewRow {
  readonly metadata: RunMetadata;
  readonly first: SealedText;
  /** True for nothing where another run of its thread is at work. */
  readonly alone: boolean;
}

/** Result of trying to append a line: it stands there, somebody else has the run, or the record goes on from elsewhere. */
type Appended = 'appended' | 'lost' | 'taken' | 'other-end';

/**
 * Statements on the rows of runs and their lines. Each may be sent again where its answer was lost: it changes nothing the
 * second time.
 */
export type RunRows = ReturnType<typeof createRunRows>;

const columns = 'place, owner::float8 AS owner, line, "check"';

export function createRunRows({ database, at }: Schema) {
  const { query, transaction } = database;
  const isMember = (value: string) => `EXISTS (SELECT FROM ${at}.members WHERE number = ${value})`;

  /** Numbers grow with each call. */
  async function nextOwner(): Promise<number> {
    const [row] = await query<{ number: number }>(`SELECT nextval('${at}.owners')::float8 AS number`, []);
    return row?.number as number;
  }

  async function find(uuid: string, member: number): Promise<RunRow | null> {
    const text = `SELECT ${columns}, ${isMember('$2')} AS "isMember" FROM ${at}.runs WHERE uuid = $1`;
    return (await query<RunRow>(text, [uuid, member]))[0] ?? null;
  }

  /**
   * Makes a run with its first line; false where there is one already. That it is alone is found out by the statement that makes it,
   * which may arrive much later than it was sent.
   */
  async function insert(
    { uuid, owner, member }: Writer,
    { metadata, first, alone }: NewRow,
  ): Promise<boolean> {
    const [made] = await query<{ other: string | null; isMade: boolean; isMember: boolean }>(
      `WITH other AS MATERIALIZED (
         SELECT uuid FROM ${at}.runs
         WHERE $10 AND place = 'running' AND task_key_hash = $5 AND host = $6 AND uuid <> $1 AND (
           SELECT fact FROM ${at}.lines
           WHERE lines.uuid = runs.uuid AND fact IN ('opened', 'paused', 'resumed', 'ended')
           ORDER BY line DESC LIMIT 1
         ) IN ('opened', 'resumed') LIMIT 1
       ), made AS (
         INSERT INTO ${at}.runs (uuid, place, owner, line, "check", task_key_hash, host, created_at)
         SELECT $1::uuid, 'running', $2::bigint, 1, $4, $5, $6, $7
         WHERE ${isMember('$3')} AND NOT EXISTS (SELECT FROM other)
         ON CONFLICT (uuid) DO NOTHING RETURNING uuid
       ), written AS (
         INSERT INTO ${at}.lines (uuid, line, fact, body) SELECT uuid, 1, $8, $9 FROM made
       )
       SELECT (SELECT uuid FROM other) AS other, EXISTS (SELECT FROM made) AS "isMade", ${isMember('$3')} AS "isMember"`,
      [
        ...[uuid, owner, member, first.check, metadata.taskKeyHash, metadata.host, metadata.createdAt],
        ...[first.fact, first.text, alone],
      ],
    );
    if (made?.isMade === true) return true;
    if (made?.isMember !== true) throw isNoMember();
    if (made.other !== null) throw hasOther(metadata, made.other);
    return (await find(uuid, member))?.check === first.check;
  }

  /** Makes an opening the one that writes to a run which lies in this place; null where it may not. */
  async function take(
    { uuid, owner, member }: Writer,
    from: Exclude<RunPlace, 'completed'>,
  ): Promise<RecordPosition | null> {
    const [end] = await query<RecordPosition>(
      `UPDATE ${at}.runs SET owner = $2, place = 'running'
       WHERE uuid = $1 AND ((place = $4 AND owner < $2) OR (place = 'running' AND owner = $2)) AND ${isMember('$3')}
       RETURNING line, "check"`,
      [uuid, owner, member, from],
    );
    return end ?? null;
  }

  /** Appends a line behind the end that the writer knows. */
  async function append(
    { uuid, owner, member }: Writer,
    { previous, next }: { readonly previous: string; readonly next: SealedText },
  ): Promise<Appended> {
    const { state } = next;
    const kept = `, kept AS (
        INSERT INTO ${at}.state (uuid, name, value) SELECT uuid, $9, $10 FROM moved
        ON CONFLICT (uuid, name) DO UPDATE SET value = EXCLUDED.value
      )`;
    const appended = await query(
      `WITH moved AS (
         UPDATE ${at}.runs SET line = $4, "check" = $6
         WHERE uuid = $1 AND owner = $2 AND line = $4 - 1 AND "check" = $5 AND ${isMember('$3')} RETURNING uuid
       )${state === null ? '' : kept}
       INSERT INTO ${at}.lines (uuid, line, fact, body) SELECT uuid, $4, $7, $8 FROM moved RETURNING line`,
      [
        ...[uuid, owner, member, next.line, previous, next.check, next.fact, next.text],
        ...(state === null ? [] : [state.name, state.value]),
      ],
    );
    if (appended.length > 0) return 'appended';
    const found = await find(uuid, member);
    if (found?.line === next.line && found.check === next.check) return 'appended';
    if (found?.isMember === false) return 'lost';
    return found !== null && found.owner !== owner ? 'taken' : 'other-end';
  }

  /** Takes the last line back, of which nobody knows whether it was carried out. */
  async function takeBack(
    { uuid, owner }: Writer,
    { last, before }: { readonly last: RecordPosition; readonly before: RecordPosition },
  ): Promise<void> {
    await query(
      `WITH back AS (
         UPDATE ${at}.runs SET line = $5, "check" = $6
         WHERE uuid = $1 AND owner = $2 AND line = $3 AND "check" = $4 RETURNING uuid
       )
       DELETE FROM ${at}.lines USING back WHERE lines.uuid = back.uuid AND lines.line = $3`,
      [uuid, owner, last.line, last.check, before.line, before.check],
    );
  }

  /** Puts a run into another place; false where the writer may not. */
  async function move({ uuid, owner, member }: Writer, to: RunPlace): Promise<boolean> {
    const moved = await query(
      `UPDATE ${at}.runs SET place = $4 WHERE uuid = $1 AND owner = $2 AND ${isMember('$3')} RETURNING place`,
      [uuid, owner, member, to],
    );
    return moved.length > 0;
  }

  /** Writes what the index says of a run that ended; false where the process may not. */
  async function index(
    { uuid, member }: Pick<Writer, 'uuid' | 'member'>,
    entry: {
      readonly endedAt: string;
      readonly indexed: string | null;
      readonly finalSummary: string | null;
    },
  ): Promise<boolean> {
    const indexed = await query(
      `UPDATE ${at}.runs SET ended_at = $3, indexed = $4, final_summary = $5
       WHERE uuid = $1 AND ${isMember('$2')} RETURNING uuid`,
      [uuid, member, entry.endedAt, entry.indexed, entry.finalSummary],
    );
    return indexed.length > 0;
  }

  /** Cuts a record before a line, keeps aside what stood there, and lets another line take its place. */
  async function cut(
    { uuid, owner }: Writer,
    {
      cut: number,
      next,
      states,
    }: { readonly cut: number; readonly next: SealedText; readonly states: string },
  ): Promise<void> {
    await transaction(async (within) => {
      const [found] = await within.query<RecordPosition>(
        `SELECT line, "check" FROM ${at}.runs WHERE uuid = $1 AND owner = $2 FOR UPDATE`,
        [uuid, owner],
      );
      if (found === undefined) throw wasTaken(uuid);
      if (found.check === next.check) return;
      await within.query(
        `WITH lost AS (DELETE FROM ${at}.lines WHERE uuid = $1 AND line >= $3 RETURNING line, body)
         INSERT INTO ${at}.cut_lines (uuid, cut, line, body) SELECT $1, $2::int, line, body FROM lost`,
        [uuid, number, next.line],
      );
      await within.query(
        `WITH ended AS (UPDATE ${at}.runs SET line = $2, "check" = $3 WHERE uuid = $1)
         INSERT INTO ${at}.lines (uuid, line, fact, body) VALUES ($1, $2, $4, $5)`,
        [uuid, next.line, next.check, next.fact, next.text],
      );
      await within.query(`DELETE FROM ${at}.state WHERE uuid = $1`, [uuid]);
      await within.query(
        `INSERT INTO ${at}.state (uuid, name, value)
         SELECT $1::uuid, key, value FROM json_each_text($2::json)`,
        [uuid, states],
      );
    });
  }

  /** Number of the next cut of a record, and the texts of the lines from this one on. */
  async function readCut(uuid: string, line: number) {
    const [row] = await query<{ cut: number }>(
      `SELECT coalesce(max(cut), 0) + 1 AS cut FROM ${at}.cut_lines WHERE uuid = $1`,
      [uuid],
    );
    const text = `SELECT body FROM ${at}.lines WHERE uuid = $1 AND line >= $2 ORDER BY line`;
    const lost = await query<{ body: string }>(text, [uuid, line]);
    return { cut: row?.cut ?? 1, texts: lost.map(({ body }) => body) };
  }

  return { nextOwner, find, insert, take, append, takeBack, move, index, cut, readCut };
}

/** Says to a process that it is none of the cluster any more. */
export function isNoMember(): ContextStoreError {
  const message =
    'This process is no longer a member of the cluster: another process took exclusive use of the storage, a later release changed the tables, or the database was restored from a backup. It exits, and writes nothing more there.';
  return new ContextStoreError(message, { code: 'owned' });
}
