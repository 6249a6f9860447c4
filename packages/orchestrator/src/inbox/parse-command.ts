import { parseCommands } from '@agent/text';

/** What people can tell a run by a comment. */
export type CommentCommand = 'stop' | 'pause' | 'resume' | 'retry' | 'show-history';

/** The strongest first. */
const names: readonly CommentCommand[] = ['stop', 'pause', 'resume', 'retry', 'show-history'];

/** The command that a comment gives, as `parseCommands` reads it; of several the strongest: stop, then pause. */
export function parseCommand(body: string): CommentCommand | null {
  const given = new Set(parseCommands(body, names).commands.map(({ name }) => name));
  return names.find((name) => given.has(name)) ?? null;
}

/** The body with each line that gives a command replaced; what else stands there is said to the agent. */
export function replaceCommands(body: string, toText: (command: CommentCommand) => string): string {
  const lines = body.split(/\r\n|\r|\n/);
  for (const { line, name } of parseCommands(body, names).commands) lines[line] = toText(name);
  return lines.join('\n');
}
