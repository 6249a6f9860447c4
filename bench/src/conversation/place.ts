/** Surroundings of a program that is measured, given to each of its processes. */
export interface Place {
  /** Base URL of the model's OpenAI-compatible endpoint. */
  readonly baseUrl: string;
  /** Base URL of the forge, and a token for it. */
  readonly forgeUrl: string;
  readonly token: string;
  readonly thread: { readonly owner: string; readonly repo: string; readonly number: number };
  /** Directory that outlives the process. */
  readonly directory: string;
  readonly task: string;
  readonly turns: number;
  /** Milliseconds since the epoch from which on the clock is fast. */
  readonly epoch: number;
  /** Agent of the Agent Client Protocol, for programs that drive one. */
  readonly agent: AgentChoice | null;
  /** Address of a PostgreSQL; null where there is none. */
  readonly postgresUrl: string | null;
}

/** An agent, by the way in which it is told something while it works. */
export type AgentChoice =
  | { readonly kind: 'scripted'; readonly steering: 'steering' | 'prompt' | 'cancel' }
  | { readonly kind: 'opencode'; readonly command: string };

/** Number of times that the clocks of the forge and of the programs are as fast as real: the model answers in milliseconds in place of seconds. */
export const speed = 50;

/** Creates the clock of a play: milliseconds since the epoch. */
export function createFastClock(epoch: number): () => number {
  return () => epoch + (Date.now() - epoch) * speed;
}

/** Name of the file in a place's directory that holds the process id of an agent, which leads a group of processes. */
export const agentIdFile = 'agent.pid';
