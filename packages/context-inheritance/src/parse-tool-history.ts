import { z } from 'zod';
import type { LastAction, ToolUse } from './model.ts';

const maxFailureChars = 60;

const lineSchema = z.object({
  seq: z.number().nullish().catch(null),
  tool: z.string().min(1),
  tool_call_id: z.string().nullish(),
  status: z.string().nullish(),
  failure: z.string().nullish(),
  error: z.string().nullish(),
});
type ToolLine = z.infer<typeof lineSchema>;

/** A run's use of its tools, never what they gave back. */
export interface ToolHistory {
  /** Null when the run called no tool. */
  readonly lastAction: LastAction | null;
  /** Tools in the order of their first call. */
  readonly uses: readonly ToolUse[];
  /** Tells whether earlier lines are missing, so that calls are counted from some moment on. */
  readonly isCut: boolean;
}

/**
 * Reads the last lines of `tools.jsonl`; other lines are left out. @see seed 002 §2.2, §13.5.1
 *
 * @example
 * parseToolHistory(['{"seq":1,"tool":"run_tests","status":"error","failure":"exit code 1"}']).lastAction;
 * // { tool: 'run_tests', status: 'error', failure: 'exit code 1' }
 */
export function parseToolHistory(lines: readonly string[]): ToolHistory {
  const read = lines.flatMap((line) => parseLine(line) ?? []);
  const ended = new Set(read.filter(isEnd).map(({ tool_call_id }) => tool_call_id));
  const isCut = ({ tool_call_id: id }: ToolLine) => (id ?? null) !== null && !ended.has(id);
  const calls = read.filter((line) => isEnd(line) || isCut(line));
  const last = read.at(-1);
  return {
    lastAction: last === undefined ? null : toLastAction(last),
    uses: countUses(calls),
    isCut: (read[0]?.seq ?? 1) > 1,
  };
}

function parseLine(line: string): ToolLine | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function isEnd({ status }: ToolLine): boolean {
  return status !== 'started';
}

function toLastAction(line: ToolLine): LastAction {
  const { tool, status } = line;
  const failure = toFailure(line);
  if (failure !== null) return { tool, status: status === 'started' ? 'unknown' : 'error', failure };
  return { tool, status: status === 'success' ? 'success' : 'unknown', failure: null };
}

function countUses(calls: readonly ToolLine[]): readonly ToolUse[] {
  return [...Map.groupBy(calls, ({ tool }) => tool)].map(([tool, lines]) => {
    const failures = Map.groupBy(
      lines.flatMap((line) => toFailure(line) ?? []),
      (failure) => failure,
    );
    return { tool, calls: lines.length, failures: [...failures].map(([kind, all]) => [kind, all.length]) };
  });
}

/** The kind of a failure; an error's own words may quote what a tool gave back. */
function toFailure({ status, failure, error }: ToolLine): string | null {
  if (status === 'started') return 'interrupted';
  if (typeof failure === 'string') return failure.replaceAll(/\s+/g, ' ').slice(0, maxFailureChars);
  if (status !== 'error') return null;
  const kind = errorKinds.find(([words]) => words.test((error ?? '').slice(0, 1_000)));
  return kind?.[1] ?? 'error';
}

const errorKinds: readonly (readonly [RegExp, string])[] = [
  [/timed out|did not finish within/i, 'timeout'],
  [/not found|does not exist|no such|ENOENT|is no tool/i, 'not found'],
  [/denied|refused|not allowed|forbidden|EACCES|EPERM/i, 'refused'],
  [/does not fit|arguments|invalid/i, 'invalid input'],
];
