import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandSandbox } from '../sandbox/sandbox.ts';
import { findSandbox, listCommandLines } from '../testing/workspace-bed.ts';
import { type CommandPlace, createCommandPlace } from './command-place.ts';
import { createFetchPageTool, type FetchPageOptions } from './fetch-page-tool.ts';
import { createProcessTools, type ProcessTools } from './process-tools.ts';
import { createRunCommand } from './run-command-tool.ts';
import { createShellTool, isKeptIn } from './shell-tool.ts';

const found = await findSandbox();
const sandboxes: readonly (readonly [string, CommandSandbox])[] = [
  ['in a container', { kind: 'none', mode: 'external' }],
  ...(found === null ? [] : [['in bubblewrap', found] as const]),
];
const call = { toolCallId: 'call-1' };
let root: string;
let place: CommandPlace;
let processes: ProcessTools;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'tools-')));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe.each(sandboxes)('commands %s', (_, sandbox) => {
  const rules = { allowedCommands: ['node'] };
  beforeEach(() => {
    const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
    place = createCommandPlace({ workspacePath: root, homesDirectory: root, sandbox, path });
    // Looks as often as a busy machine lets it: what it waits for comes by itself.
    processes = createProcessTools(place, { rules, wait: () => delay(25) });
  });
  afterEach(async () => {
    await processes.close();
    await place.close();
  });

  const use = (name: string, input: object): Promise<string> => {
    const tool = processes.tools[name];
    return tool === undefined ? Promise.reject(new Error(`no ${name}`)) : tool.execute(input, call);
  };

  /** Reads a process until it has said something. */
  async function readUntil(id: string, pattern: RegExp): Promise<string> {
    for (let text = ''; ; ) {
      text += await use('read_process', { id });
      if (pattern.test(text)) return text;
    }
  }

  it('run in a shell, with pipes and scripts of the repository [NX-216]', { tags: ['full'] }, async () => {
    await writeFile(join(root, 'gradlew'), '#!/bin/sh\necho "built $1"\n', { mode: 0o755 });
    const shell = createShellTool(place, {});
    const failures: string[] = [];
    const onFailure = (failure: string) => void failures.push(failure);
    const script = './gradlew test | tr a-z A-Z && false';
    expect(await shell.execute({ script }, { ...call, onFailure })).toBe('Exit code: 1\nBUILT TEST');
    expect(failures).toEqual(['exit code 1']);
    expect(await shell.execute({ script: 'sleep 60', timeout_seconds: 1 }, call)).toContain(
      'Timed out after 1 s',
    );
  });

  it('go on in the background, are read a part at a time, and are reached by later ones [NX-217]', async () => {
    const port = 40_000 + (process.pid % 5_000);
    const server = `require('http').createServer((q, a) => { console.log(q.url); a.end('served'); }).listen(${port}, '127.0.0.1', () => console.log('ready'))`;
    const begun = await use('start_process', { command: 'node', args: ['-e', server], ports: [port] });
    expect(begun).toContain('process-1 is running.');
    if (!begun.includes('ready')) await readUntil('process-1', /ready/);
    const ask = `fetch('http://127.0.0.1:${port}/asked').then((answer) => answer.text()).then(console.log)`;
    const command = createRunCommand(place, rules);
    expect(await command.execute({ command: 'node', args: ['-e', ask] }, call)).toBe('Exit code: 0\nserved');
    expect(await readUntil('process-1', /asked/)).not.toContain('ready');
    expect(await use('stop_process', { id: 'process-1' })).toContain('process-1 has ended: it was stopped.');
    expect(await use('read_process', { id: 'process-1' })).toContain('(no new output)');
  });

  it('in the background tell their end, and end with the run [NX-217]', async () => {
    await use('start_process', { command: 'node', args: ['-e', 'process.exit(4)'] });
    expect(await readUntil('process-1', /has ended/)).toContain('has ended. Exit code: 4');
    await expect(use('start_process', { command: 'sh' })).rejects.toThrow('cannot be run');
    const mark = `left-${process.pid}-${sandbox.kind}`;
    const stays = ['-e', 'setInterval(() => {}, 1000)', mark];
    for (let at = 0; at < 5; at += 1) await use('start_process', { command: 'node', args: stays });
    await expect(use('start_process', { command: 'node', args: stays })).rejects.toThrow(
      '5 processes are already running',
    );
    await expect(use('read_process', { id: 'process-99' })).rejects.toThrow(
      'There is no process "process-99"',
    );
    await processes.close();
    expect((await listCommandLines()).filter((line) => line.includes(mark))).toEqual([]);
  });
});

it('a shell is offered only where something keeps it in [NX-216]', () => {
  expect(isKeptIn({ sandbox: { kind: 'none', mode: 'off' } })).toBe(false);
  expect(isKeptIn({ sandbox: { kind: 'none', mode: 'external' } })).toBe(true);
});

describe('a page', () => {
  const secret = 'plum-orchard-lane';
  let server: Server;
  const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeEach(async () => {
    server = createServer(({ url, headers }, response) => {
      const type = url === '/image' ? 'image/png' : 'text/html; charset=utf-8';
      const places: Record<string, string> = {
        '/moved': '/page',
        '/away': 'http://evil.test/',
        '/round': '/round',
        '/nowhere': 'http://[',
        '/file': 'file:///etc/passwd',
      };
      const location = places[url ?? ''];
      response.writeHead(location === undefined ? 200 : 302, {
        'content-type': type,
        ...(location ? { location } : {}),
        ...(url === '/zipped' ? { 'content-encoding': 'gzip' } : {}),
        ...(url === '/half' ? { 'content-length': '1000' } : {}),
      });
      if (url === '/half') return void response.write('half', () => response.destroy());
      if (url === '/slow') return void response.write('slow');
      if (url === '/secret') return void response.end(`is ${secret}.`);
      if (url === '/end') return void response.end(`${'x'.repeat(49_142)}${secret} and more`);
      response.end(
        url === '/long' ? 'x'.repeat(3 * 2 ** 20) : `page for ${headers.authorization ?? 'anybody'}`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const read = (
    path: string,
    { offset = 0, ...options }: Partial<FetchPageOptions> & { offset?: number } = {},
  ) => {
    const tool = createFetchPageTool({ allow: [host()], private: [host()], ...options });
    return tool.execute({ url: path.includes(':') ? path : `http://${host()}${path}`, offset }, call);
  };

  it('is read where its host is allowed, without a login, wherever it leads [NX-218]', async () => {
    expect(await read('/moved')).toBe(
      `http://${host()}/page: HTTP 200, text/html; charset=utf-8, characters 0 to 16 of 16.\npage for anybody`,
    );
    expect(await read(`http://user:secret@${host()}/page`)).toContain('page for anybody');
    await expect(read('/away')).rejects.toThrow('evil.test may not be read');
    await expect(read('/round')).rejects.toThrow('without end');
    await expect(read('http://example.com/')).rejects.toThrow('example.com may not be read');
    await expect(read('file:///etc/passwd')).rejects.toThrow('is not an http(s) address');
    await expect(read('/image')).rejects.toThrow('is not text');
    await expect(read('/nowhere')).rejects.toThrow('"http://[" is not an http(s) address');
    await expect(read('/file')).rejects.toThrow('"file:///etc/passwd" is not an http(s) address');
  });

  it('of a private address is read only where that is allowed as one [NX-218]', async () => {
    await expect(read('/page', { private: [] })).rejects.toThrow('is a private address');
    const { port } = new URL(`http://${host()}`);
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const rebound = { allow: [`rebound.test:${port}`], private: [], resolve };
    await expect(read(`http://rebound.test:${port}/page`, rebound)).rejects.toThrow('has a private address');
  });

  it('that does not come as a whole, or not as plain text, is no page [NX-218]', async () => {
    await expect(read('/half')).rejects.toThrow('did not give the whole page');
    await expect(read('/slow', { timeoutMs: 50 })).rejects.toThrow(/did not give|could not be read/);
    await expect(read('/zipped')).rejects.toThrow('comes as gzip');
  });

  it('is shown a part at a time, and cut where it has no end [NX-218]', async () => {
    const first = await read('/long');
    expect(first).toContain(
      'characters 0 to 49152 of 2081152. Continue with offset 49152. The page is longer than 2097152 bytes',
    );
    expect(first.length).toBeLessThan(50_000);
    expect(await read('/long', { offset: 2_081_000 })).toContain(
      'characters 2081000 to 2081152 of 2081152. The page',
    );
  });

  it('shows no part of a secret, at whichever place it begins or ends [NX-260]', async () => {
    const hideSecrets = (text: string) => text.replaceAll(secret, '[REDACTED]');
    const shown = [];
    for (let offset = 0; offset <= secret.length + 4; offset += 1)
      shown.push(await read('/secret', { offset, hideSecrets }));
    shown.push(await read('/end', { hideSecrets }), await read('/end', { hideSecrets, offset: 49_140 }));
    expect(shown.join('\n')).not.toMatch(/orchard|lane|plum/u);
    expect(shown[0]).toContain('is [REDACTED].');
  });
});
