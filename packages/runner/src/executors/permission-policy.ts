import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { toShortLine } from './clean-values.ts';
import { findPathRefusal, listNamedPaths, namesCommand } from './named-paths.ts';
import type { Update } from './session-updates.ts';

/** Rules by which an agent's requests for permission are answered, as nobody is there to be asked. */
export interface PermissionRules {
  /** Directory in which the agent may read and write. */
  readonly directory: string;
  /** True where walls keep the agent's process in: then it may run programs. */
  readonly isSandboxed: boolean;
}

const word = z.string().nullish().catch(null);
const requestSchema = z.object({
  sessionId: z.string(),
  toolCall: z.object({
    toolCallId: z.unknown().optional(),
    ...{ kind: word, title: word, name: word },
    locations: z.unknown().optional(),
    content: z.unknown().optional(),
    rawInput: z.unknown().optional(),
  }),
  options: z.array(z.unknown()).catch([]),
});

/** Request of an agent for a permission. */
export interface PermissionRequest extends z.infer<typeof requestSchema> {
  /** Its name, for people. */
  readonly tool: string;
  /** Its call as an update, as some agents tell of it only here. Its content is left out: it is what they ask about, not what came of it. */
  readonly update: Update;
}

/** Reads a request for permission; null for what is none. */
export function readPermissionRequest(params: unknown): PermissionRequest | null {
  const { data } = requestSchema.safeParse(params);
  if (data === undefined) return null;
  const { toolCallId, name, title, kind, rawInput } = data.toolCall;
  const update = { sessionUpdate: 'tool_call_update', toolCallId, name, title, kind, rawInput };
  return { ...data, update, tool: toShortLine(title || kind || 'tool') };
}

/** Answer to a request for permission. */
export interface PermissionAnswer {
  readonly response: RequestPermissionResponse;
  /** Why it was refused, in words for people; null where it was given. */
  readonly refused: string | null;
}

/**
 * Answers a request for permission: reading and editing inside the directory, running programs inside the sandbox; nothing else, and nothing
 * for longer than once.
 */
export async function answerPermission(
  { toolCall, options }: Pick<PermissionRequest, 'toolCall' | 'options'>,
  rules: PermissionRules,
): Promise<PermissionAnswer> {
  const refused = await findRefusal(toolCall, rules);
  const kinds = refused === null ? ['allow_once'] : ['reject_once', 'reject_always'];
  const optionId = findOption(options, kinds);
  if (optionId !== null) return { response: { outcome: { outcome: 'selected', optionId } }, refused };
  // An agent that offers no such answer is answered as if the turn had been ended: nothing is done.
  return {
    response: { outcome: { outcome: 'cancelled' } },
    refused: refused ?? 'the agent offered no way to allow it once',
  };
}

const optionSchema = z.object({ optionId: z.string(), kind: z.string() });

/** An id that stands for two answers stands for none. */
function findOption(offered: readonly unknown[], kinds: readonly string[]): string | null {
  const options = offered.flatMap((option) => optionSchema.safeParse(option).data ?? []);
  const isClear = ({ optionId }: { readonly optionId: string }) =>
    options.filter((other) => other.optionId === optionId).length === 1;
  const fitting = kinds.flatMap((kind) =>
    options.filter((option) => option.kind === kind && isClear(option)),
  );
  return fitting.at(0)?.optionId ?? null;
}

async function findRefusal(
  call: PermissionRequest['toolCall'],
  { directory, isSandboxed }: PermissionRules,
): Promise<string | null> {
  // Some agents name the paths of a command; one that names none may touch the same.
  if (call.kind === 'execute' && isSandboxed) return null;
  const paths = listNamedPaths(call);
  if (paths === null) return 'it names too many files, or something that is not a path';
  const changes = call.kind === 'edit' || call.kind === 'delete' || call.kind === 'move';
  for (const path of paths) {
    const why = await findPathRefusal(path, { directory, changes });
    if (why !== null) return `"${toShortLine(path)}" ${why}`;
  }
  // A call that would run something is one that runs something, whatever it calls itself.
  const runs = call.kind === 'execute' || namesCommand(call.rawInput);
  if (runs && !isSandboxed) return 'programs run only in a sandbox, and no sandbox is available';
  switch (call.kind) {
    case 'read':
    case 'search':
      return paths.length > 0 || isSandboxed ? null : 'it does not say what it reads';
    case 'edit':
    case 'delete':
    case 'move':
      return paths.length > 0 || isSandboxed ? null : 'it does not say what it changes';
    case 'think':
    case 'execute':
      return null;
    default:
      return `"${toShortLine(call.kind ?? 'other')}" is not allowed here`;
  }
}
