import { join } from 'node:path';

/** Where the files of a run lie in its directory. @see seed 002 §2 */
export interface JournalFiles {
  readonly metadata: string;
  readonly messages: string;
  readonly current: string;
  readonly tools: string;
  readonly summaries: string;
  readonly outcome: string;
  readonly taskState: string;
  readonly restarts: string;
}

export function toJournalFiles(directory: string): JournalFiles {
  return {
    metadata: join(directory, 'metadata.json'),
    messages: join(directory, 'messages.jsonl'),
    current: join(directory, 'current.jsonl'),
    tools: join(directory, 'tools.jsonl'),
    summaries: join(directory, 'summaries.jsonl'),
    outcome: join(directory, 'outcome.json'),
    taskState: join(directory, 'task_state.json'),
    restarts: join(directory, 'restarts.json'),
  };
}
