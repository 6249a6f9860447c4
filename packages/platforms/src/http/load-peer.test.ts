import { describe, expect, it } from 'vitest';
import { loadPeer } from './load-peer.ts';

const need = { entry: '@agent/platforms/github', packages: ['@octokit/rest', 'bottleneck'] };

describe('loadPeer', () => {
  it('returns the module if its packages are installed', async () => {
    expect((await loadPeer(() => import('zod'), need)).z).toBeDefined();
  });

  it('names all packages to install if one is missing', async () => {
    const missing = 'a-package-that-is-not-installed';
    await expect(loadPeer(() => import(missing), need)).rejects.toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message:
          '@agent/platforms/github needs packages that are not installed. Install them: npm install @octokit/rest bottleneck',
      }),
    );
  });

  it('passes other errors of the module on', async () => {
    const broken = Promise.reject(new SyntaxError('broken'));
    await expect(loadPeer(() => broken, need)).rejects.toThrow(SyntaxError);
  });
});
