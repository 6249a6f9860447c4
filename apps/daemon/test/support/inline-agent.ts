const program = `
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const [path, text] = process.argv.slice(1);
let directory = '.';
const answers = {
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: 'inline-agent', version: '1.0.0' }, agentCapabilities: {} }),
  'session/new': ({ cwd }) => {
    directory = cwd;
    return { sessionId: 'session-1' };
  },
  'session/prompt': ({ sessionId }) => {
    if (path !== undefined) writeFileSync(join(directory, path), text);
    const content = { type: 'text', text: 'It is done.' };
    send({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } } });
    return { stopReason: 'end_turn' };
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (answers[method] !== undefined) send({ id, result: answers[method](params) });
});`;

/**
 * Gives the command of an agent that is one argument, for a sandbox that shows nothing of this checkout. It writes a file into its
 * working directory, and says that it is done.
 */
export function inlineAgentCommand(writes: { readonly path: string; readonly text: string } | null = null) {
  const more = writes === null ? [] : [writes.path, writes.text];
  return { command: process.execPath, args: ['-e', program, ...more] };
}
