import { createMemoryRunJournal } from '@agent/runner';
import { type PlannedTaskResult, type PlanningEvent, runPlannedTask } from '@agent/runner/planning';
import type { LanguageModel } from 'ai';
import { z } from 'zod';

/** Files in memory instead of a working tree. */
export type Files = Map<string, string>;

/** Has the model write a page and its check with a plan. Reports each event of the plan. */
export function writePage(
  files: Files,
  { model, onEvent }: { readonly model: LanguageModel; readonly onEvent: (event: PlanningEvent) => void },
): Promise<PlannedTaskResult> {
  return runPlannedTask({
    task: {
      model,
      tools: createTools(files),
      journal: createMemoryRunJournal(),
      openConversation: async () => ({
        instructions: 'You write small web pages.',
        messages: [{ role: 'user', content: 'Write index.html with a greeting, and a check that finds it.' }],
      }),
    },
    planning: { reflection: { trigger_interval: 0 } },
    sources: { readDiff: async () => toDiff(files) },
    checkTools: ['run_check'],
    onEvent,
  });
}

function createTools(files: Files) {
  return {
    read_file: {
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      readOnly: true,
      execute: async (input: unknown) =>
        files.get((input as { path: string }).path) ?? 'There is no such file.',
    },
    write_file: {
      description: 'Writes a file.',
      inputSchema: z.object({ path: z.string(), text: z.string() }),
      readOnly: false,
      execute: async (input: unknown) => {
        const { path, text } = input as { path: string; text: string };
        files.set(path, text);
        return `Wrote ${path}.`;
      },
    },
    run_check: {
      description: 'Runs the check: index.html must contain the text of check.txt.',
      inputSchema: z.object({}),
      readOnly: false,
      execute: async (_: unknown, { onFailure }: { onFailure?: ((failure: string) => void) | undefined }) => {
        const isFound = (files.get('index.html') ?? '').includes(files.get('check.txt') ?? 'no check');
        if (!isFound) onFailure?.('exit code 1');
        return isFound ? 'The check passed.' : 'The check failed: index.html does not contain the text.';
      },
    },
  };
}

/** All that was written, as a diff against nothing. */
function toDiff(files: Files): string {
  return [...files]
    .map(([path, text]) => {
      const lines = text.split('\n');
      const added = lines.map((line) => `+${line}`).join('\n');
      return `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${added}\n`;
    })
    .join('');
}
