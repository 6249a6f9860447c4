import { startScriptedModel } from '@agent/simulators/model';

const tools = {
  chat: [
    { type: 'function', function: { name: 'read_file', parameters: { type: 'object', properties: {} } } },
  ],
  responses: [{ type: 'function', name: 'read_file', parameters: { type: 'object', properties: {} } }],
};

/** Sends the requests of a run to a scripted model: with tools, without, as a stream and not, and to a missing model. */
export async function playModel(
  fetch: typeof globalThis.fetch,
  { callsTools = true, streams = true }: { readonly callsTools?: boolean; readonly streams?: boolean } = {},
): Promise<void> {
  const model = await startScriptedModel({
    script: ({ tools: offered }) =>
      offered.length === 0 || !callsTools
        ? { text: 'Done.' }
        : { text: 'Reading.', toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] },
  });
  const ask = async (path: string, body?: object): Promise<void> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { 'content-type': 'application/json' };
    await (await fetch(model.baseUrl + path, { headers, ...sent })).text();
  };
  const prompt = [{ role: 'user', content: 'Fix it.' }];
  try {
    await ask('/models');
    for (const name of ['scripted-model', 'missing-model'])
      for (const offered of [true, false])
        for (const stream of streams ? [true, false] : [false]) {
          const common = { model: name, stream };
          await ask('/chat/completions', {
            ...common,
            messages: prompt,
            ...(offered ? { tools: tools.chat } : {}),
          });
          await ask('/responses', {
            ...common,
            input: prompt,
            ...(offered ? { tools: tools.responses } : {}),
          });
        }
  } finally {
    await model.close();
  }
}
