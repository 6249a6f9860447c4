import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { examine, runDoctor, startHealthyWorld } from '../../test/support/examination.ts';
import { findFreePort } from '../../test/support/find-free-port.ts';
import type { World, WorldOptions } from '../../test/support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Starts a world in which everything is well, but for what the options change. */
async function start(options: Partial<WorldOptions> = {}): Promise<World> {
  world = await startHealthyWorld(options);
  return world;
}

/** A port that nobody listens on any more. */
describe('doctor, of the model', () => {
  it('says that the model endpoint is down, and where it was looked for', async () => {
    const nowhere = `http://127.0.0.1:${await findFreePort()}/v1`;
    const { failed } = await examine(await start(), { LLM_BASE_URL: nowhere });
    expect(failed).toMatchObject([{ area: 'model', text: expect.stringContaining(nowhere) }]);
    expect(failed[0]?.text).toContain('ECONNREFUSED');
  });

  it('says which models there are when the configured one is not', async () => {
    const { failed, findings } = await examine(await start({ llm: { model: 'no-such-model' } }));
    expect(failed).toMatchObject([
      {
        text: 'the server has no model no-such-model; it has scripted-model',
        fix: expect.stringContaining('a model that the server has'),
      },
    ]);
    expect(findings.filter(({ status, area }) => area === 'model' && status === 'warning')).toEqual([]);
  });

  it.each([
    [{ status: 429, message: 'You exceeded your current quota' }, 'Add credit'],
    [{ status: 400, message: 'x:latest does not support tools' }, 'supports tool calls'],
    [{ status: 400, message: 'No models loaded' }, 'load the model there'],
    [{ status: 401, message: 'bad' }, 'llm.api_key_env'],
    [{ status: 503, message: 'busy' }, 'The model server failed'],
    [{ status: 404, message: 'no such route' }, 'Set llm.api: chat'],
  ])('says of %j what helps against it [NX-42]', async (answer, fix) => {
    const at = await start();
    at.model.misbehave({ kind: 'status', ...answer }, { times: 1 });
    const { failed } = await examine(at);
    expect(failed).toMatchObject([{ area: 'model', fix: expect.stringContaining(fix) }]);
  });

  it('names the smallest window also if the server does not report one', async () => {
    const { findings } = await examine(await start({ llm: { context_length: 4_096 } }));
    expect(findings).toContainEqual(
      expect.objectContaining({ area: 'model', status: 'warning', text: expect.stringMatching(/8,?192/) }),
    );
  });

  it('says when a model answers without calling the tool', async () => {
    const { code, findings } = await examine(await start({ script: () => ({ text: 'I am ready.' }) }));
    expect(code).toBe(0);
    expect(findings).toContainEqual(
      expect.objectContaining({
        area: 'model',
        status: 'warning',
        text: expect.stringContaining('did not call'),
      }),
    );
  });

  it('shows the model a picture where runs do, and says when it takes none [NX-405]', async () => {
    const isShown = ({ body }: { readonly body: unknown }) =>
      JSON.stringify(body).includes('image/png;base64');
    const seeing = await start({ config: { pictures: { enabled: true } } });
    const { findings } = await examine(seeing);
    const takes = expect.objectContaining({ status: 'ok', text: 'scripted-model accepts images' });
    expect(findings).toContainEqual(takes);
    expect(seeing.model.requests.filter(isShown)).toHaveLength(1);
    await seeing.close();

    const blind = await start({
      config: { pictures: { enabled: true } },
      onModelRequest: (request) => {
        if (isShown(request))
          blind.model.misbehave({ kind: 'status', status: 400, message: 'x does not support image input' });
      },
    });
    expect((await examine(blind)).failed).toMatchObject([
      {
        area: 'model',
        text: expect.stringContaining('does not accept images'),
        fix: expect.stringContaining('pictures.enabled'),
      },
    ]);
  });

  it('says where a key that is not set belongs, and finds no fault with the file', async () => {
    const { failed } = await examine(await start({ llm: { api_key_env: 'MODEL_KEY' } }));
    expect(failed).toMatchObject([
      { text: expect.stringContaining('MODEL_KEY is not set'), fix: expect.stringContaining('.env') },
    ]);
    expect(failed[0]?.fix).not.toContain('init');
  });

  it('counts the models that are listed as one counts', async () => {
    expect((await runDoctor(await start(), {}, { model: false })).output).toContain('and lists 1 model\n');
  });

  it.each([
    [
      { max_model_len: 4_096 },
      /default of llm.context_length is 32,768.* 4,096 tokens/,
      'llm.context_length to 4096',
    ],
    [{ max_model_len: 4_096 }, /4,096 tokens; runs need at least 8,192/, 'longer context'],
    [{ context_length: -1 }, /context length of -1; 32,768 tokens are assumed/, 'llm.context_length'],
  ])('warns about the context that the server reports: %j', async (fields, text, fix) => {
    const list = JSON.stringify({ data: [{ id: 'scripted-model', ...fields }] });
    const server = createHttpServer((request, response) => {
      response.writeHead(request.url === '/v1/models' ? 200 : 404).end(list);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { findings } = await examine(await start(), { LLM_BASE_URL: `http://127.0.0.1:${port}/v1` });
    server.close();
    expect(findings).toContainEqual(
      expect.objectContaining({
        status: 'warning',
        text: expect.stringMatching(text),
        fix: expect.stringContaining(fix),
      }),
    );
  });

  it('does not call the model with --no-model', async () => {
    const at = await start();
    await runDoctor(at, {}, { model: false });
    expect(at.model.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
