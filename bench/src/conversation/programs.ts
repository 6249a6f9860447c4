import { fileURLToPath } from 'node:url';
import type { AgentChoice } from './place.ts';

/** A program that is measured. */
export interface MeasuredProgram {
  readonly name: string;
  /** `control`: has to lose something, or the bench is blind. */
  readonly kind: 'ours' | 'control' | 'other';
  readonly file: string;
  readonly agent: AgentChoice | null;
  readonly needsPostgres: boolean;
  /** Starts so slowly that it plays a few conversations only. */
  readonly isSlow: boolean;
}

/** Lists the programs; those over opencode where it is installed. */
export function listPrograms({ opencode }: { readonly opencode: string | null }): readonly MeasuredProgram[] {
  const real: AgentChoice | null = opencode === null ? null : { kind: 'opencode', command: opencode };
  return [
    toProgram('runner', 'ours', 'runner'),
    toProgram('withComments, generateText', 'ours', 'with-comments-generate'),
    toProgram('withComments, ToolLoopAgent.stream', 'ours', 'with-comments-stream'),
    ...(['steering', 'prompt', 'cancel'] as const).map((steering) =>
      toProgram(`ACP executor, ${steering}`, 'ours', 'acp-executor', { kind: 'scripted', steering }),
    ),
    ...(real === null ? [] : [toProgram('ACP executor, opencode', 'ours', 'acp-executor', real)]),
    toProgram('AI SDK steering, bare', 'control', 'bare-steering'),
    toProgram('array in prepareStep', 'control', 'prepare-step-array'),
    toProgram('ACP adapter, bare', 'control', 'bare-acp', { kind: 'scripted', steering: 'steering' }),
    toProgram('LangGraph 1.7.3, checkpointer', 'other', 'langgraph'),
    toProgram('pi-agent-core 1.6.0, steer', 'other', 'pi-agent'),
  ];
}

function toProgram(
  name: string,
  kind: MeasuredProgram['kind'],
  file: string,
  agent: AgentChoice | null = null,
): MeasuredProgram {
  const path = fileURLToPath(new URL(`./programs/${file}.ts`, import.meta.url));
  return {
    name,
    kind,
    file: path,
    agent,
    needsPostgres: file === 'langgraph',
    isSlow: agent?.kind === 'opencode',
  };
}
