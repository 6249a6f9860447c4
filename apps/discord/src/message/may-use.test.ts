import { describe, expect, it } from 'vitest';
import { mayUse, openToAll } from './incoming-message.ts';

const inThread = { authorId: '7', origin: { guildId: '1', channelIds: ['22', '2'], roleIds: ['9'] } };
const direct = { authorId: '7', origin: { guildId: null, channelIds: ['5'], roleIds: [] } };

describe('mayUse', () => {
  it.each([
    ['no list', {}, true, true],
    ['the server', { servers: ['1'] }, true, false],
    ['another server', { servers: ['3'] }, false, false],
    ['the channel of the thread', { channels: ['2'] }, true, false],
    ['another channel', { channels: ['4'] }, false, false],
    ['the author', { people: ['7'] }, true, true],
    ['somebody else', { people: ['8'] }, false, false],
    ['a role of the author', { roles: ['9'] }, true, false],
    ['another role', { roles: ['6'] }, false, false],
    ['the author, whatever the roles', { people: ['7'], roles: ['6'] }, true, true],
    ['the author, elsewhere', { people: ['7'], channels: ['4'] }, false, true],
  ])('decides by %s, in a thread and in private [NX-65]', (_, lists, thread, privately) => {
    expect(mayUse(inThread, { ...openToAll, ...lists })).toBe(thread);
    expect(mayUse(direct, { ...openToAll, ...lists })).toBe(privately);
  });
});
