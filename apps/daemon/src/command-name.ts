/** Names this program as the reader can type it: the npm script in a checkout, else the installed command. */
export function commandName(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.npm_lifecycle_event === 'daemon' ? 'npm run daemon --' : 'agent-daemon';
}

/** A command line of this program that the reader can type: `formatCommand('doctor')`, `formatCommand('token alice')`. */
export function formatCommand(name: string): string {
  return `${commandName()} ${name}`;
}
