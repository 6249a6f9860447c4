import { describe, expect, it } from 'vitest';
import { startLmStudio } from '../../test/lm-studio/index.ts';
import { terminalTextsEn } from '../cli/terminal-texts-en.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import { checkModel } from './check-model.ts';

describe('checkModel', () => {
  it('says that the address lacks its path, where it is that of a host alone [TC-31, TC-42]', async () => {
    const lmStudio = await startLmStudio();
    const host = new URL(lmStudio.baseUrl).origin;
    const check = (LM_BASE_URL: string) =>
      checkModel(parseSettings({ DISCORD_TOKEN: 'x', LM_BASE_URL }, terminalTextsEn), terminalTextsEn);
    const [lacking, whole] = [await check(`${host}/`), await check(lmStudio.baseUrl)];
    await lmStudio.close();

    expect(lacking.state).toBe('wrong');
    expect(lacking.text).toContain(terminalTextsEn.addressWithoutPath(host));
    expect(whole.state).toBe('well');
  });
});
