import { z } from 'zod';
import { ToolError, WorkspaceError } from '../workspace-error.ts';
import type { OpenedWorkspace } from '../worktrees/task-workspace.ts';
import { defineTool, type RunTool } from './define-tool.ts';

/** Options of `createMergeBaseTool`. */
export interface MergeBaseOptions {
  readonly workspace: Pick<OpenedWorkspace, 'baseBranch' | 'branch' | 'commitAll' | 'merging'>;
  /** Formats the message of the commit that is made of what is not committed yet. */
  readonly formatMessage: (changedFiles: readonly string[]) => string;
}

/**
 * Creates the tool that merges the base branch, as the server has it now, into that of the task. It adds a commit and changes none:
 * what people pushed stays as they wrote it.
 */
export function createMergeBaseTool({ workspace, formatMessage }: MergeBaseOptions): RunTool {
  const { baseBranch, branch, merging } = workspace;
  return defineTool({
    description: `Merges the newest ${JSON.stringify(baseBranch)} of the server into the branch that you work on. What you changed is committed before. Where there are conflicts, edit the files that are named until no mark of a conflict is left; the merge is concluded with your final answer. Call it with "abort" to give up a merge that has conflicts, with all that you changed since.`,
    input: z.object({ abort: z.boolean().default(false) }),
    readOnly: false,
    run: async ({ abort }, { signal }) => {
      try {
        if (abort) {
          const isDropped = await merging.dropMerge({ signal });
          return isDropped ? 'The merge was given up.' : 'No merge is under way.';
        }
        await workspace.commitAll(formatMessage, { signal });
        const merged = await merging.mergeBase(`Merge ${baseBranch} into ${branch}\n`, { signal });
        if (merged.kind === 'current') return `The branch holds everything of ${baseBranch} already.`;
        if (merged.kind === 'merged') return `${baseBranch} is merged and committed. Run the tests again.`;
        return ['Conflicts, in these files:', ...merged.files.map((file) => JSON.stringify(file))].join('\n');
      } catch (error) {
        if (!(error instanceof WorkspaceError)) throw error;
        const retryable = error.code === 'unavailable';
        throw new ToolError(error.message, { cause: error, retryable });
      }
    },
  });
}
