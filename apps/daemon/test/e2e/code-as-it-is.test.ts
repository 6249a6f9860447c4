// @module-tag full
import { followSteps } from '@agent/simulators/model';
import { afterEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { listTurns } from '../support/model-requests.ts';
import { startWorld, token, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Ordinary code that says what secrets are called. */
const auth = [
  "export const provider = 'ollama';",
  'export function login(req, url) {',
  '  const password = req.body.password;',
  '  const database = `postgres://\u0024{req.body.user}:\u0024{password}@db/app`;',
  '  return check({ user: req.body.user, password: req.body.password, database });',
  '}',
  'export const form = { password: String, pwd: process.cwd() };',
  '',
].join('\n');

async function changeAuth(steps: Parameters<typeof followSteps>[0]): Promise<World> {
  world = await startWorld({ script: followSteps(steps), files: { 'auth.js': auth } });
  world.forge.openIssue({ title: 'Rename check', body: 'Call it verify.', labels: ['coding agent'] });
  const environment = { OPENAI_API_KEY: 'ollama' };
  const exit = await startDaemonProcess(world.configFile, { environment }).exited;
  expect(exit.code).toBe(0);
  return world;
}

const branch = 'agent/issue-1-rename-check';

it('shows the model code as it is, and commits what it wrote to the letter [NX-36]', async () => {
  const changed = auth.replace('check(', 'verify(');
  const { model, forge } = await changeAuth([
    { toolCalls: [{ name: 'read_file', input: { path: 'auth.js' } }] },
    { toolCalls: [{ name: 'write_file', input: { path: 'auth.js', content: changed } }] },
    { text: 'It is called verify now.' },
  ]);
  const shown = listTurns(model).join('\n');
  for (const line of auth.split('\n')) expect(shown).toContain(JSON.stringify(line).slice(1, -1));
  expect(shown).not.toContain('[REDACTED]');
  expect(await forge.readFile(branch, 'auth.js')).toBe(changed);
});

it('hides the token of the daemon from the model, and keeps the word for it out of files [NX-36]', async () => {
  const { model, forge } = await changeAuth([
    {
      toolCalls: [
        { name: 'write_file', input: { path: 'note.txt', content: `key: ${token}\n` } },
        { name: 'read_file', input: { path: 'auth.js' } },
      ],
    },
    { toolCalls: [{ name: 'delete_file', input: { path: 'note.txt' } }] },
    {
      toolCalls: [
        {
          name: 'edit_file',
          input: { path: 'auth.js', old_text: 'String', new_text: '[REDACTED]' },
        },
      ],
    },
    {
      toolCalls: [{ name: 'edit_file', input: { path: 'auth.js', old_text: 'check(', new_text: 'verify(' } }],
    },
    { text: 'It is called verify now.' },
  ]);
  const shown = listTurns(model).join('\n');
  expect(shown).not.toContain(token);
  expect(shown).toContain('which stands where a secret was hidden from you');
  expect(await forge.readFile(branch, 'auth.js')).toBe(auth.replace('check(', 'verify('));
});
