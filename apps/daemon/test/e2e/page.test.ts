import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { editConfig } from '../support/edit-config.ts';
import { fixScript } from '../support/fix-script.ts';
import { token as forgeToken, repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

const hostile = '<img src=x onerror=alert(1)> "total" \u202e & more';

/** Logs in as a browser does: the form with its values and its cookie, then the session's cookie. */
async function logIn(url: string, token: string): Promise<string> {
  const form = await fetch(`${url}/login`);
  const [cookie = ''] = (form.headers.get('set-cookie') ?? '').split(';');
  const values = [...(await form.text()).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const body = new URLSearchParams({ token });
  for (const [, name = '', value = ''] of values) body.set(name, value);
  const headers = { cookie, origin: url };
  const answer = await fetch(`${url}/login`, { method: 'POST', body, headers, redirect: 'manual' });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

describe('the page of a running daemon', () => {
  it('shows a run with its texts to whoever is logged in, counts to others on this machine, and a secret to nobody [NX-323, NX-324, NX-329, NX-340, NX-363, NX-364]', async () => {
    const at = await startWorld({
      script: fixScript,
      config: { http: { port: 0 }, poll_interval_seconds: 0.2 },
    });
    world = at;
    const running = startDaemonProcess(at.configFile, { flags: ['--log-format', 'json'] });
    daemon = running;
    await running.printed(/serving web UI/);
    const url = /"url":"(http:[^"]+)","msg":"serving web UI/.exec(running.output())?.[1] ?? '';
    const texts = { title: `${hostile} ${forgeToken}`, body: 'It forgets the quantity.' };
    at.gitHub.openIssue({ repo: repository, author: 'alice', ...texts, labels: ['coding agent'] });
    await running.printed(/finished task/);

    // The board can be a few seconds old.
    const askAsStranger = async () => (await fetch(url)).text();
    await expect.poll(askAsStranger).toMatch(/>1<\/strong>/);
    const stranger = await askAsStranger();
    expect(stranger).not.toContain(repository);
    expect(stranger).not.toContain('total');

    const made = await runDaemonCommand(at.configFile, ['token', 'alice']);
    const [token = ''] = /^[\w-]{43}$/m.exec(made.output) ?? [];
    const cookie = await logIn(url, token);
    const read = async (path: string) => (await fetch(`${url}${path}`, { headers: { cookie } })).text();
    const board = await read('/');
    expect(board).toContain(`${repository}#1`);
    expect(board).not.toContain('<img');
    const run = /href="(\/runs\/[^"]+)"/.exec(board)?.[1] ?? '';
    const room = await read(run);
    expect(room).toContain('It forgets the quantity.');
    expect(room).toContain('edit_file');
    const thread = /href="(\/threads\/[^"]+)"/.exec(room)?.[1] ?? '';
    const rooms = [board, room, await read(`${run}/journal`), await read(thread), await read('/health')];
    for (const html of [...rooms, await read('/audit')]) {
      expect(html).not.toContain(forgeToken);
      expect(html).not.toContain(token);
      expect(html).not.toContain('<img');
    }
    expect(rooms.at(-1)).toMatch(/this process/);
    expect(rooms.at(-1)).toMatch(/\d+ of \d[\d,]* left/);
    const values = [...(rooms.at(-1) ?? '').matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const body = new URLSearchParams(
      values.slice(-2).map(([, name = '', value = '']): [string, string] => [name, value]),
    );
    await editConfig(at.configFile, { 'log.level': 'warn' });
    const reload = { method: 'POST', body, headers: { cookie, origin: url } };
    expect((await fetch(`${url}/reload`, reload)).url).toBe(`${url}/health?done=reload`);
    expect(await read('/audit')).toMatch(/Reload settings[\s\S]*log\.level/);
    expect(await logIn(url, 'guessed')).not.toMatch(/session/);
  });
});
