import { describe, expect, it } from 'vitest';
import { createClient, fieldOf } from './support/client.ts';

const decoder = new TextDecoder();

async function open(client: ReturnType<typeof createClient>) {
  const response = await client.get('/events');
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error('There is no stream.');
  const read = async (): Promise<string | null> => {
    const { value, done } = await reader.read();
    return done ? null : decoder.decode(value);
  };
  return { response, reader, read };
}

describe('the stream of changes', () => {
  it('tells whoever is logged in which run has changed [NX-335]', async () => {
    const client = createClient();
    await client.logIn();
    const { response, reader, read } = await open(client);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await read()).toContain('event: ready');
    client.world.tell({ uuid: 'u1', threadKey: 'k1' });
    expect(await read()).toBe('event: change\ndata: {"uuid":"u1","threadKey":"k1"}\n\n');
    await reader.cancel();
    expect(client.world.countListeners()).toBe(0);
  });

  it('tells a stranger only that something has changed [NX-335]', async () => {
    const client = createClient();
    const { reader, read } = await open(client);
    await read();
    client.world.tell({ uuid: 'u1', threadKey: 'github_issue:acme:shop:42' });
    expect(await read()).toBe('event: change\ndata: {"uuid":null,"threadKey":null}\n\n');
    await reader.cancel();
  });

  it('ends with the login that it was opened with [NX-335]', async () => {
    const client = createClient();
    await client.logIn();
    const { read } = await open(client);
    await read();
    await client.post('/logout', { csrf: fieldOf(await client.text('/'), 'csrf') });
    client.world.tell({ uuid: 'u1' });
    expect(await read()).toBeNull();
    expect(client.world.countListeners()).toBe(0);
  });

  it('beats, so that nobody in between takes it for dead, and lets go whoever does not read [NX-335]', async () => {
    let beat = (): void => {};
    const client = createClient({
      repeat: (callback) => {
        beat = callback;
        return () => {};
      },
    });
    const { read } = await open(client);
    expect(await read()).toContain('ready');
    beat();
    expect(await read()).toBe(': \n\n');
    for (let count = 0; count < 100; count += 1) beat();
    expect(client.world.countListeners()).toBe(0);
  });
});
