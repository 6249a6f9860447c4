import type { RunTool, RunTools } from '@agent/runner';
import { showHiddenCharacters, wrapToolOutput } from '@agent/text';

/**
 * The tools as the conversation uses them: what they answer stands in an envelope of the run, because a repository, a
 * program or a server may say anything. Why a call failed is told outside of it, with nothing hidden.
 */
export function encloseOutputs(tools: RunTools, nonce: string): RunTools {
  const enclosed = Object.entries(tools).map(([name, tool]) => [name, encloseOutput(tool, { name, nonce })]);
  return Object.fromEntries(enclosed) as RunTools;
}

function encloseOutput(
  tool: RunTool,
  { name, nonce }: { readonly name: string; readonly nonce: string },
): RunTool {
  return {
    ...tool,
    execute: async (input, options) => {
      try {
        const output = await tool.execute(input, options);
        // What is no text is refused by the runner, in its words.
        return typeof output === 'string' ? wrapToolOutput(output, { tool: name, nonce }) : output;
      } catch (error) {
        if (error instanceof Error) error.message = showHiddenCharacters(error.message).text;
        throw error;
      }
    },
  };
}
