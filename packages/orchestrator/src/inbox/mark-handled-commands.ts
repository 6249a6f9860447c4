import { replaceCommands } from './parse-command.ts';

/** Commands of trusted people are carried out by code: the model reads only that they were, in history too. */
export function markHandledCommands(body: string): string {
  return replaceCommands(
    body,
    (command) => `(The command /${command}. It was carried out; there is nothing to do about it.)`,
  );
}
