import type { Socket } from 'node:net';
import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import type { Client, Pool, PoolClient, QueryResult } from 'pg';
import { ContextStoreError } from '../context-store-error.ts';
import { repeatUnreferenced } from '../ownership/ownership.ts';
import { type Database, type Queryable, type TransactionOptions, toSettings } from './database.ts';
import { createListener, toListen } from './listener.ts';
import { isOutage, isRefusedLogin, type PatienceOptions, type Waiting, withPatience } from './outage.ts';

/** Options of the way to a server. */
export interface PostgresOptions extends PatienceOptions {
  /** Address, such as `postgres://agent@db.example/agent`. */
  readonly url: string;
  /** Asked for at each connect: a password that changes is taken over without a restart. Default the address's. */
  readonly password?: (() => string | Promise<string>) | undefined;
  /** Connections at once, besides one that listens; at least 2. Default 10. */
  readonly maxConnections?: number | undefined;
  /** Milliseconds after which an answer counts as lost. Default 30,000. */
  readonly answerTimeoutMs?: number | undefined;
  /** Name of this process, as the server shows it. Default `agent`. */
  readonly applicationName?: string | undefined;
  /** Runs a task again and again until the function it gave back is called. Default an unreferenced interval. */
  readonly repeat?: ((task: () => void, everyMs: number) => () => void) | undefined;
}

const expectations: ExpectationsOf<PostgresOptions> = {
  url: { ...expected.text, isSecret: true },
  password: expected.function,
  maxConnections: expectNumber(2, { isWhole: true }),
  answerTimeoutMs: expectNumber(0),
  applicationName: expected.text,
  repeat: expected.function,
  patienceMs: expectNumber(0),
  clock: expected.function,
  sleep: expected.function,
  logger: expected.logger,
};

/** A lock that is held needs a connection beside it. */
const leastConnections = 2;
const connectTimeoutMs = 10_000;
/** A process that is frozen or cut off in the middle of a transaction lets go of what that holds after this: others wait for it. */
const idleWorkMs = 5_000;
/** A process that is frozen with a lock that it shares lets go of it after this. */
const idleTransactionMs = 60_000;
/** A connection that only listens does not notice by itself that nobody is there any more. */
const pulseMs = 15_000;

/**
 * Reaches a PostgreSQL server, by the package `pg`; it is asked nothing yet.
 * @throws {ContextStoreError} `invalid` where the package is not installed, or the address is none
 *
 * @example
 * const database = await connectPostgres({ url: 'postgres://agent@127.0.0.1/agent' });
 * const [row] = await database.query<{ version: string }>('SELECT version()');
 */
export async function connectPostgres(options: PostgresOptions): Promise<Database> {
  checkOptions('PostgresOptions', options, expectations, ['url']);
  const { maxConnections = 10, logger, repeat = repeatUnreferenced } = options;
  const location = toLocation(options.url);
  const { pool, createClient } = await openPool(options, maxConnections);
  // A connection that broke while nobody used it: the next statement takes another one.
  pool.on('error', (err) => logger?.debug({ err, location }, 'lost idle database connection'));
  const isUnencrypted = isRemoteWithoutTls(createClient());
  if (isUnencrypted) logger?.warn({ location }, 'connecting to remote database without TLS');
  const toStatement = createStatements();
  let wasLetIn = false;
  pool.on('connect', () => {
    wasLetIn = true;
  });
  // Who was let in before waits: the password is being changed.
  const passes = (error: unknown) => !pool.ending && (isOutage(error) || (wasLetIn && isRefusedLogin(error)));
  const waiting: Waiting = new Map();
  const patiently = <Result>(work: () => Promise<Result>) =>
    withPatience(work, { ...options, location, waiting, passes });

  return {
    ...{ location, isUnencrypted },
    query: <Row extends object>(text: string, values?: readonly unknown[]) =>
      patiently(async () => toRows<Row>(await pool.query(toStatement(text, values)))),
    transaction: (use, options) =>
      patiently(() => inTransaction(pool, (client) => use(toQueryable(client, toStatement)), options)),
    share: async (lock, work) => {
      const release = await patiently(() => holdShared(pool, lock));
      return work().finally(release);
    },
    listen: createListener({
      connect: (channels) => connectListener(createClient(), channels),
      patiently,
      repeat: (task) => repeat(task, pulseMs),
    }),
    findObstacle: () => waiting.values().next().value ?? null,
    close: async () => {
      if (!pool.ending) await pool.end();
    },
  };
}

const lockKey = 'hashtextextended($1, 0)';

async function openPool(options: PostgresOptions, max: number) {
  const { url, password, answerTimeoutMs = 30_000, applicationName = 'agent' } = options;
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    const message =
      'The package "pg", which is needed for PostgreSQL, is missing. Install it: npm install pg';
    throw new ContextStoreError(message, { code: 'invalid', cause });
  });
  const config = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
  };
  class AskingClient extends pg.Client {
    constructor() {
      super(config);
      // An address, even without a password, would go before one among the options.
      if (password !== undefined) Object.assign(this, { password });
    }

    /** Takes leave of the server, and waits for no answer: one that is frozen gives none. */
    override end(): Promise<void>;
    override end(done: (error: Error) => void): void;
    override end(done?: (error: Error) => void): Promise<void> | void {
      const ended = done === undefined ? super.end() : super.end(done);
      (this.connection.stream as Socket).destroySoon();
      return ended;
    }
  }
  return {
    pool: new pg.Pool({ ...config, max: Math.max(leastConnections, max), Client: AskingClient }),
    createClient: () => new AskingClient(),
  };
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** A socket in the file system counts as local. The client knows what the address and the environment set. */
function isRemoteWithoutTls({ host, ssl }: Pick<Client, 'host' | 'ssl'>): boolean {
  return !ssl && !host.startsWith('/') && !loopback.test(host);
}

/** The server and its database without the password; `invalid` for what is no address. */
function toLocation(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? { protocol: '' };
  if (protocol === 'postgres:' || protocol === 'postgresql:') return `${host}${pathname}`;
  const message = 'The address of the database is not valid. Give one such as postgres://user@host/database.';
  throw new ContextStoreError(message, { code: 'invalid' });
}

/** Statements that are planned once for each connection; texts beyond these are planned each time. */
const maxPrepared = 200;

/** Names statements with values, so that the server parses and plans each once: that is most of what a short one costs. */
function createStatements() {
  const names = new Map<string, string>();
  return (text: string, values: readonly unknown[] | undefined) => {
    if (values === undefined) return { text };
    if (!names.has(text) && names.size < maxPrepared) names.set(text, `agent_${names.size + 1}`);
    return { text, values: [...values], name: names.get(text) };
  };
}

/** Rows of an answer; a text of several statements has several. */
function toRows<Row>(answer: QueryResult | QueryResult[]): readonly Row[] {
  return (Array.isArray(answer) ? answer : [answer]).flatMap(({ rows }) => rows as Row[]);
}

function toQueryable(client: PoolClient, toStatement: ReturnType<typeof createStatements>): Queryable {
  return { query: async (text, values) => toRows(await client.query(toStatement(text, values))) };
}

const ignore = () => undefined;

/** A connection that breaks says so by an event, too, which must not end the process. */
async function takeClient(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  client.on('error', ignore);
  return client;
}

function giveBack(client: PoolClient, isBroken = false): void {
  client.off('error', ignore);
  client.release(isBroken);
}

/** Uses a transaction that begins with its settings and its lock in one statement: whoever waits for the lock waits for no other answer. */
async function inTransaction<Result>(
  pool: Pool,
  use: (client: PoolClient) => Promise<Result>,
  { alone, settings = {} }: TransactionOptions = {},
): Promise<Result> {
  const client = await takeClient(pool);
  const given = toSettings({ idle_in_transaction_session_timeout: String(idleWorkMs), ...settings });
  const name = alone === undefined ? null : client.escapeLiteral(alone);
  const lock = name === null ? [] : [`pg_advisory_xact_lock(hashtextextended(${name}, 0))`];
  try {
    await client.query(`BEGIN; SELECT ${[...given, ...lock].join(', ')}`);
    const result = await use(client);
    await client.query('COMMIT');
    giveBack(client);
    return result;
  } catch (error) {
    const isBroken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    giveBack(client, isBroken);
    throw error;
  }
}

/** Takes a share of a lock for as long as a transaction lasts. Resolves with what ends it. */
async function holdShared(pool: Pool, lock: string): Promise<() => Promise<void>> {
  const client = await takeClient(pool);
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${idleTransactionMs}`);
    await client.query(`SELECT pg_advisory_xact_lock_shared(${lockKey})`, [lock]);
  } catch (error) {
    giveBack(client, true);
    throw error;
  }
  return async () => {
    // Where the connection broke, the server has let go of the lock by itself.
    const isBroken = await client.query('COMMIT').then(
      () => false,
      () => true,
    );
    giveBack(client, isBroken);
  };
}

async function connectListener(client: Client, channels: readonly string[]): Promise<Client> {
  client.on('error', ignore);
  try {
    await client.connect();
    for (const channel of channels) await client.query(toListen(channel));
    return client;
  } catch (error) {
    await client.end().catch(ignore);
    throw error;
  }
}
