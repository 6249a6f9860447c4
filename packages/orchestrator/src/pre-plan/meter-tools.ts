import type { RunEvent, RunTool, RunTools } from '@agent/runner';
import type { CostMeter } from './create-cost-meter.ts';

export interface MeteredTools {
  readonly meter: CostMeter;
  /** Hears of each call as of one of the run's; the output stays out of it. */
  readonly onEvent: (event: RunEvent) => void;
  /** Milliseconds; only differences are used. */
  readonly now: () => number;
}

/**
 * The same tools; every call is counted, also one that fails. A failure is none of the agent's: it never counts
 * against `limits.max_tool_failures`.
 */
export function meterTools(tools: RunTools, options: MeteredTools): RunTools {
  let calls = 0;
  const meterTool = ([name, tool]: [string, RunTool]): [string, RunTool] => [
    name,
    {
      ...tool,
      execute: (input, call) => {
        calls += 1;
        return execute({ name, tool, input, call, toolCallId: `prepare-${calls}` }, options);
      },
    },
  ];
  return Object.fromEntries(Object.entries(tools).map(meterTool));
}

interface MeteredCall {
  readonly name: string;
  readonly tool: RunTool;
  readonly input: unknown;
  readonly call: Parameters<RunTool['execute']>[1];
  readonly toolCallId: string;
}

async function execute(
  { name, tool, input, call, toolCallId }: MeteredCall,
  { meter, onEvent, now }: MeteredTools,
): Promise<string> {
  meter.countTool(name);
  const fields = { step: meter.read().modelCalls, toolCallId, tool: name, args: input };
  const startedAt = now();
  let hasEnded = false;
  const end = (status: 'success' | 'error'): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEvent({ type: 'tool-end', ...fields, status, output: '', durationMs: Math.max(0, now() - startedAt) });
  };
  // A tool that hangs is left at its time limit, and may never settle.
  const leave = (): void => end('error');
  call.signal?.addEventListener('abort', leave, { once: true });
  onEvent({ type: 'tool-start', ...fields });
  try {
    const output = await tool.execute(input, call);
    end('success');
    return output;
  } catch (error) {
    end('error');
    throw error;
  } finally {
    call.signal?.removeEventListener('abort', leave);
  }
}
