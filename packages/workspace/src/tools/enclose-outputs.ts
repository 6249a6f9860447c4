import { showHiddenCharacters, wrapToolOutput } from '@agent/text';
import type { RunTool, RunTools } from '../ports.ts';
import { ToolError } from './define-tool.ts';

/**
 * The tools as the conversation uses them: what they answer stands in an envelope of the run, because a repository, a
 * program or a server may say anything. Why a call failed stands there, too, but for errors whose words are our own.
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
        if (error instanceof ToolError) error.message = showHiddenCharacters(error.message).text;
        else if (error instanceof Error)
          error.message = `The call failed.\n${wrapToolOutput(error.message, { tool: name, nonce })}`;
        throw error;
      }
    },
  };
}
