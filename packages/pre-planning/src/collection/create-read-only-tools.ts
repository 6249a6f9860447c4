import type { Logger } from '@agent/text';
import { checkOptions, checkValue, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { asSchema, type FlexibleSchema } from 'ai';
import type { ReadOnlyTools, ToolAnswer, ToolDescription } from '../ports.ts';
import { type Sleep, sleepFor } from './information-collector.ts';
import { judgeToolError } from './judge-tool-error.ts';
import { judgeToolOutput } from './judge-tool-output.ts';

/** A tool as the AI SDK has it, or with a mark of its own that it only reads. */
export interface CollectionTool {
  readonly description?: unknown;
  readonly inputSchema: FlexibleSchema<never> | FlexibleSchema<unknown>;
  /** True when running it changes nothing anywhere. */
  readonly readOnly?: boolean;
  /** Hints with which MCP marks its tools. */
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
}

/** Options of `createReadOnlyTools`. */
export interface ReadOnlyToolsOptions {
  /** Which tools only read; default: those marked `readOnly` or `annotations.readOnlyHint`. @see decision E14 */
  readonly isReadOnly?: (name: string, tool: CollectionTool) => boolean;
  /** Time limit of one call; default 60,000 ms. */
  readonly timeoutMs?: number;
  readonly sleep?: Sleep;
  /** Told of tools that are left out; default nobody. */
  readonly logger?: Logger | null;
}

const expectations: ExpectationsOf<ReadOnlyToolsOptions> = {
  isReadOnly: expected.function,
  timeoutMs: expectNumber(0),
  sleep: expected.function,
  logger: expected.logger,
};

/**
 * Selects the tools of a set that only read. The model never reaches another, whatever it writes: what is called is
 * decided here, not in a prompt. One that cannot be described is not listed.
 *
 * @example
 * const tools = createReadOnlyTools({ readFile: { ...readFile, readOnly: true }, writeFile });
 * await tools.list(); // readFile alone
 */
export function createReadOnlyTools(
  tools: Readonly<Record<string, CollectionTool>>,
  options: ReadOnlyToolsOptions = {},
): ReadOnlyTools {
  checkValue('tools', tools, { ...expected.object, text: 'an object of tools by their names, {} for none' });
  checkOptions('ReadOnlyToolsOptions', options, expectations);
  const { isReadOnly = isMarked, timeoutMs = 60_000, sleep = sleepFor, logger = null } = options;
  const all = new Map(Object.entries(tools));
  const reading = new Map(
    [...all].filter(([name, tool]) => tool.execute !== undefined && isReadOnly(name, tool)),
  );
  if (reading.size === 0 && all.size > 0)
    logger?.warn({ tools: [...all.keys()] }, 'no tool is marked as read-only; set readOnly or isReadOnly');
  return {
    list: async () => {
      const described = await Promise.all([...reading].map(([name, tool]) => describe(name, tool, logger)));
      return described.filter((description) => description !== null);
    },
    call: async ({ tool: written, parameters, signal }) => {
      const name = findName(written, [...all.keys()]);
      const tool = reading.get(name);
      if (tool === undefined) return refuse(name, all.has(name));
      return run(tool, { name, parameters, timeoutMs, sleep, signal });
    },
  };
}

function isMarked(_name: string, { readOnly, annotations }: CollectionTool): boolean {
  return readOnly === true || annotations?.readOnlyHint === true;
}

/** The tool that is meant, also where a model writes its name in another manner: `functions.readFile` for `read_file`. */
function findName(written: string, names: readonly string[]): string {
  if (names.includes(written)) return written;
  const plain = toPlainName(written);
  const [meant, ...others] = names.filter((name) => toPlainName(name) === plain);
  return plain === '' || meant === undefined || others.length > 0 ? written : meant;
}

function toPlainName(name: string): string {
  const [own = ''] = name.slice(0, 200).split(/[./:]/).slice(-1);
  return own
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

function refuse(name: string, isKnown: boolean): ToolAnswer {
  const reason = isKnown ? `may change something; ${readOnlyNote}` : 'does not exist';
  return { status: 'refused', reason: `the tool "${name}" ${reason}` };
}

async function describe(
  name: string,
  { description, inputSchema }: CollectionTool,
  logger: Logger | null,
): Promise<ToolDescription | null> {
  try {
    const parameters = await asSchema(inputSchema as FlexibleSchema<unknown>).jsonSchema;
    return { name, description: typeof description === 'string' ? description : '', parameters };
  } catch (err) {
    logger?.warn({ tool: name, err }, 'skipped tool: parameters cannot be described');
    return null;
  }
}

async function findInvalidity({ inputSchema }: CollectionTool, parameters: unknown): Promise<string | null> {
  const validated = await asSchema(inputSchema as FlexibleSchema<unknown>).validate?.(parameters);
  return validated === undefined || validated.success ? null : validated.error.message;
}

interface ToolRun {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly sleep: Sleep;
  readonly signal: AbortSignal | undefined;
}

async function run(tool: CollectionTool, toolRun: ToolRun): Promise<ToolAnswer> {
  const { name, parameters, timeoutMs, sleep, signal } = toolRun;
  const execute = tool.execute as (input: unknown, options: object) => unknown;
  try {
    const invalidity = await findInvalidity(tool, parameters);
    if (invalidity !== null) return { status: 'refused', reason: `invalid parameters: ${invalidity}` };
    const result = await withTimeout(
      // The runner's tools take `signal`, the AI SDK's `abortSignal`.
      async (own) =>
        takeLast(
          execute(parameters, { toolCallId: `collect-${name}`, messages: [], signal: own, abortSignal: own }),
          own,
        ),
      { timeoutMs, sleep, signal },
    );
    if (result.kind === 'done') return judgeToolOutput(result.value);
    const reason = `timeout: no answer within ${Math.round(timeoutMs / 1_000)} s`;
    return { status: 'failed', reason, isTransient: true };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    return judgeToolError(error);
  }
}

/** A tool of the AI SDK may yield what it has so far; what it yields last is its result. */
async function takeLast(given: unknown, signal: AbortSignal): Promise<unknown> {
  const result = await given;
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const part of result as AsyncIterable<unknown>) {
    signal.throwIfAborted();
    last = part;
  }
  return last;
}

interface TimeoutOptions {
  readonly timeoutMs: number;
  readonly sleep: Sleep;
  readonly signal?: AbortSignal | undefined;
}

/** Waits for work, but not longer than it may take; work that does not heed its signal is left behind. */
async function withTimeout<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, sleep, signal }: TimeoutOptions,
): Promise<{ readonly kind: 'done'; readonly value: Result } | { readonly kind: 'timeout' }> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const given = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  const aborted = new Promise<never>((_, reject) => {
    given.addEventListener('abort', () => reject(given.reason), { once: true });
  });
  const late = sleep(timeoutMs, { signal: given }).then(() => ({ kind: 'timeout' }) as const);
  const done = work(given).then((value) => ({ kind: 'done', value }) as const);
  for (const promise of [aborted, late, done]) promise.catch(() => undefined);
  try {
    return await Promise.race([done, late, aborted]);
  } finally {
    ended.abort(new Error('The call was ended'));
  }
}

/** Note in a refusal: the tool was not run because it does not only read. */
export const readOnlyNote = 'only read-only tools run';
