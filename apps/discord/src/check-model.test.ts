import { type LmStudio, startLmStudio } from '@agent/simulators/lm-studio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock } from '../test/bot/fake-clock.ts';
import { checkModel, type Finding } from './check-model.ts';
import { parseSettings } from './settings/parse-settings.ts';
import { terminalTextsEn as texts } from './terminal-texts.en.ts';

const key = 'a-key';
const clock = createFakeClock();
let lmStudio: LmStudio;
beforeEach(async () => {
  lmStudio = await startLmStudio({ apiKey: key });
});
afterEach(() => lmStudio.close());

function check(environment: Readonly<Record<string, string>> = {}): Promise<Finding> {
  const all = { DISCORD_TOKEN: 'x', LM_BASE_URL: lmStudio.baseUrl, LM_API_KEY: key, ...environment };
  return checkModel(parseSettings(all, texts), texts, { clock });
}

describe('checkModel', () => {
  it('finds nothing to fix where the model answers [TC-42]', async () => {
    expect(await check()).toEqual({ state: 'well', text: texts.modelAnswers(0) });
  });

  it('says that the address lacks its path, where it is that of a host alone [TC-31, TC-42]', async () => {
    const host = new URL(lmStudio.baseUrl).origin;
    expect(await check({ LM_BASE_URL: `${host}/` })).toEqual({
      state: 'wrong',
      text: expect.stringContaining(texts.addressWithoutPath(host)),
    });
  });

  it('says which setting holds the key, where the server does not take it [TC-33, TC-42]', async () => {
    const { text } = await check({ LM_API_KEY: 'another' });
    expect(text).toContain('401');
    expect(text).toContain(texts.modelRefusesKey);
    expect(text).not.toContain('another');
  });

  it('says what to load where nothing is loaded, and what to wait for where loading takes long [TC-42, TC-45]', async () => {
    lmStudio.reload([]);
    expect((await check()).text).toContain(texts.loadModel);
    lmStudio.reload(['large-model']);
    lmStudio.misbehave({ kind: 'hang', at: 'headers' });
    const slow = check();
    await lmStudio.until(() => lmStudio.inputs().length === 2);
    clock.advance(30_000);
    expect((await slow).text).toContain(texts.modelTakesLong);
  });
});
