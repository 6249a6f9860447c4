import type { RunTool, RunTools } from '../ports.ts';

/** The daemon's own tools and those of MCP servers. A name that ours have already gets a number. */
export function mergeTools(own: RunTools, others: RunTools): RunTools {
  const merged: Record<string, RunTool> = { ...own };
  for (const [name, tool] of Object.entries(others)) {
    let free = name;
    for (let number = 2; Object.hasOwn(merged, free); number += 1) {
      const ending = `_${number}`;
      free = `${name.slice(0, 64 - ending.length)}${ending}`;
    }
    merged[free] = tool;
  }
  return merged;
}
