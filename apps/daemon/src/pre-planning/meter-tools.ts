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
  const end = (status: 'success' | 'error') =>
    onEvent({ type: 'tool-end', ...fields, status, output: '', durationMs: Math.max(0, now() - startedAt) });
  onEvent({ type: 'tool-start', ...fields });
  try {
    const output = await tool.execute(input, call);
    end('success');
    return output;
  } catch (error) {
    end('error');
    throw error;
  }
}
