import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry as it lies in a file of plans. */
export interface ScannedEntry {
  readonly issue_id: string;
  readonly timestamp: string;
}

/**
 * A port of the earlier agent's `get_past_executions_for_issue`, with its path put right: reads every file of plans
 * there is, and compares the number of the issue.
 */
export function scanPlannings(baseDirectory: string, issueId: string): readonly ScannedEntry[] {
  const entries: ScannedEntry[] = [];
  for (const place of ['running', 'completed']) {
    const parent = join(baseDirectory, place);
    for (const uuid of existsSync(parent) ? readdirSync(parent) : []) {
      const planning = join(parent, uuid, 'planning');
      for (const name of existsSync(planning) ? readdirSync(planning) : []) {
        const lines = readFileSync(join(planning, name), 'utf8').split('\n');
        for (const line of lines) {
          if (line.trim() === '') continue;
          const entry = JSON.parse(line) as ScannedEntry;
          if (entry.issue_id === issueId) entries.push(entry);
        }
      }
    }
  }
  return entries.sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1));
}
