import { isAbsolute, relative, resolve, sep } from 'node:path';
import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';

/** Rules by which an agent's requests for permission are answered, as nobody is there to be asked. */
export interface PermissionRules {
  /** Directory in which the agent may read and write. */
  readonly directory: string;
  /** True where walls keep the agent's process in: then it may run programs. */
  readonly isSandboxed: boolean;
}

type ToolCall = RequestPermissionRequest['toolCall'];

/** Answer to a request for permission. */
export interface PermissionAnswer {
  readonly response: RequestPermissionResponse;
  /** Why it was refused, in words for people; null where it was given. */
  readonly refused: string | null;
}

/** Answers a request for permission: reading and editing inside the directory, running programs inside the sandbox; nothing else. */
export function answerPermission(
  { toolCall, options }: Pick<RequestPermissionRequest, 'toolCall' | 'options'>,
  rules: PermissionRules,
): PermissionAnswer {
  const refused = findRefusal(toolCall, rules);
  const kinds =
    refused === null
      ? (['allow_once', 'allow_always'] as const)
      : (['reject_once', 'reject_always'] as const);
  const option = findOption(options, kinds);
  if (option !== undefined)
    return { response: { outcome: { outcome: 'selected', optionId: option } }, refused };
  // An agent that offers no such answer is answered as if the turn had been ended: nothing is done.
  return {
    response: { outcome: { outcome: 'cancelled' } },
    refused: refused ?? 'the agent offered no way to allow it once',
  };
}

function findOption(
  options: readonly PermissionOption[],
  kinds: readonly PermissionOption['kind'][],
): string | undefined {
  return kinds.flatMap((kind) => options.filter((option) => option.kind === kind)).at(0)?.optionId;
}

function findRefusal(call: ToolCall, { directory, isSandboxed }: PermissionRules): string | null {
  const paths = listPaths(call);
  const outside = paths.find((path) => !isInside(path, directory));
  if (outside !== undefined) return `"${outside}" is outside of the working directory`;
  switch (call.kind) {
    case 'read':
    case 'search':
    case 'think':
      return paths.length > 0 || isSandboxed || call.kind === 'think'
        ? null
        : 'it does not say what it reads';
    case 'edit':
    case 'delete':
    case 'move':
      return paths.length > 0 || isSandboxed ? null : 'it does not say what it changes';
    case 'execute':
      return isSandboxed ? null : 'programs run in a sandbox alone, and there is none';
    default:
      return `"${call.kind ?? 'other'}" is nothing that may be done here`;
  }
}

function listPaths({ locations, content }: ToolCall): readonly string[] {
  const diffs = (content ?? []).flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  return [...(locations ?? []).map(({ path }) => path), ...diffs];
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, resolve(directory, path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
