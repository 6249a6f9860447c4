import { type Command, parseCommands } from '@agent/text';

/** Commands that people can give a run by a comment. */
export type CommentCommand = 'stop' | 'pause' | 'resume' | 'retry' | 'show-history';

/** The strongest first. */
export const commandNames: readonly CommentCommand[] = ['stop', 'pause', 'resume', 'retry', 'show-history'];

/** The command that a comment gives, as `parseCommands` reads it; of several the strongest: stop, then pause. */
export function parseCommand(body: string): CommentCommand | null {
  return findStrongest(parseCommands(body, commandNames).commands);
}

/** Of several commands, the one that holds: stop, then pause; null where there is none. */
export function findStrongest(commands: readonly Pick<Command, 'name'>[]): CommentCommand | null {
  const given = new Set<string>(commands.map(({ name }) => name));
  return commandNames.find((name) => given.has(name)) ?? null;
}

/** The body with each line that gives a command replaced; what else stands there is said to the agent. */
export function replaceCommands(body: string, toText: (command: CommentCommand) => string): string {
  const lines = body.split(/\r\n|\r|\n/);
  for (const { line, name } of parseCommands(body, commandNames).commands) lines[line] = toText(name);
  return lines.join('\n');
}

/** Commands of trusted people are carried out by code: the model reads only that they were, in history too. */
export function markHandledCommands(body: string): string {
  return replaceCommands(body, tellHandled);
}

/** The line that the model reads in the place of a command. */
export function tellHandled(command: string): string {
  return `(The command /${command}. It was carried out; there is nothing to do about it.)`;
}
