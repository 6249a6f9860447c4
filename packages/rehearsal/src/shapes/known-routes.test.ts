import { describe, expect, it } from 'vitest';
import { findKnownRoute, findModelServer, nameQuery } from './known-routes.ts';

describe('findKnownRoute', () => {
  it.each([
    [
      'PUT',
      'https://discord.com/api/v10/channels/12/messages/34/reactions/%F0%9F%91%80/@me',
      'discord: PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me',
    ],
    [
      'POST',
      'http://127.0.0.1:5000/api/v10/channels/12/messages',
      'discord: POST /channels/{channel_id}/messages',
    ],
    ['GET', 'https://discord.com/api/v10/guilds/12/secret-name', 'discord: GET ?'],
    [
      'GET',
      'https://api.github.com/repos/acme/shop/issues/7/comments?page=2',
      'github: GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    ],
    [
      'GET',
      'https://api.github.com/repos/issues/pulls/issues/comments',
      'github: GET /repos/{owner}/{repo}/issues/comments',
    ],
    [
      'GET',
      'https://git.example/api/v3/repositories/42/issues?page=2',
      'github: GET /repos/{owner}/{repo}/issues',
    ],
    [
      'GET',
      'https://git.example/api/v3/repos/acme/shop/contents/src/salaries.ts',
      'github: GET /repos/{owner}/{repo}/contents/{path+}',
    ],
    ['POST', 'https://git.example/api/graphql', 'github: POST /graphql'],
    ['GET', 'https://api.github.com/repos/acme/shop/secret', 'github: GET ?'],
    [
      'PUT',
      'https://git.example/gitlab/api/v4/projects/acme%2Fshop/issues/7/notes/9',
      'gitlab: PUT /projects/{id}/issues/{iid}/notes/{note_id}',
    ],
    ['GET', 'https://git.example/api/v4/projects/1/secret', 'gitlab: GET ?'],
    ['POST', 'https://openrouter.ai/api/v1/chat/completions', 'model: POST /chat/completions'],
    ['GET', 'http://127.0.0.1:1234/v1/models', 'model: GET /models'],
    ['STEAL', 'https://maria.example/salaries', 'other: ? ?'],
  ])('names no part of %s %s that is the user’s own', (method, address, expected) => {
    const { service, route } = findKnownRoute(method, new URL(address));
    expect(`${service}: ${route}`).toBe(expected);
  });
});

describe('nameQuery', () => {
  it('names queries of the daemon, and no other', () => {
    const name = (query: string) => nameQuery('POST /graphql', JSON.stringify({ query }));
    expect(name('query { pullRequest { isInMergeQueue } }')).toBe(' isInMergeQueue');
    expect(name('query { salariesOfMaria }')).toBe(' ?');
    expect(nameQuery('GET /user', null)).toBe('');
  });
});

describe('findModelServer', () => {
  it.each([
    ['https://api.openai.com/v1/responses', 'openai'],
    ['https://maria-smith.openai.azure.com/openai/v1/chat/completions', 'azure'],
    ['http://127.0.0.1:11434/v1/models', 'ollama'],
    ['http://model.internal.example:11434/v1/models', null],
  ])('knows the vendor at %s by its public address', (address, expected) => {
    expect(findModelServer(new URL(address))).toBe(expected);
  });
});
