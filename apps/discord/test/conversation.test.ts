import { describe, expect, it } from 'vitest';
import { startScene } from './bot/start-scene.ts';

describe('a conversation in Discord', () => {
  it('makes a thread of a mention and answers there [TC-A1, TC-4, TC-14, TC-48]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => '会議、買い物、散歩です。' } });
    const { discord, lmStudio } = scene;
    const question = discord.people.say('alice', discord.generalId, '今日の予定を3行でまとめて', {
      mention: true,
    });

    expect(await scene.answers(question.id, 1)).toEqual(['会議、買い物、散歩です。']);
    expect(discord.threads()).toMatchObject([
      { id: question.id, name: 'suzume: 今日の予定を3行でまとめて', parent_id: discord.generalId },
    ]);
    expect(lmStudio.inputs()).toEqual(['user: alice: 今日の予定を3行でまとめて']);
  });
});
