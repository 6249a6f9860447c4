/** How the reader starts this program: through npm's script of that name in a checkout, else by its installed name. */
export function commandName(environment: NodeJS.ProcessEnv = process.env): string {
  return environment['npm_lifecycle_event'] === 'daemon' ? 'npm run daemon --' : 'agent-daemon';
}

/** A command line of this program that the reader can type: `formatCommand('doctor')`, `formatCommand('token alice')`. */
export function formatCommand(name: string): string {
  return `${commandName()} ${name}`;
}
