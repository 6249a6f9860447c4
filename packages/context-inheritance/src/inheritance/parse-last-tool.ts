import { z } from 'zod';
import type { LastAction } from './model.ts';

const lineSchema = z.object({ tool: z.string().min(1), status: z.string().nullish() });

/** Reads the last line of `tools.jsonl`: the tool and how it ended, never what it gave back. Null for no such line. */
export function parseLastTool(line: string): LastAction | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = lineSchema.safeParse(json);
  if (!parsed.success) return null;
  const { tool, status } = parsed.data;
  return { tool, status: status === 'success' || status === 'error' ? status : 'unknown' };
}
