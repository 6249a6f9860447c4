/** Sites that are the same for everybody, whatever stands before their names. */
const sites = [
  'github.com gitlab.com npmjs.com npmjs.org nodejs.org mozilla.org python.org pypi.org w3.org ietf.org rfc-editor.org',
  'json-schema.org schema.org wikipedia.org microsoft.com typescriptlang.org semver.org keepachangelog.com',
  'conventionalcommits.org docs.rs crates.io rubygems.org go.dev openapis.org spdx.org editorconfig.org opensource.org',
  'apache.org vitest.dev vite.dev react.dev reactjs.org vuejs.org angular.dev svelte.dev djangoproject.com schemastore.org',
  'jestjs.io eslint.org typescript-eslint.io prettier.io biomejs.dev nextjs.org expressjs.com fastify.dev zod.dev pnpm.io',
  'yarnpkg.com playwright.dev storybook.js.org webpack.js.org babeljs.io rollupjs.org tailwindcss.com getbootstrap.com',
  'lodash.com stackoverflow.com readthedocs.io readthedocs.org rust-lang.org golang.org kubernetes.io ruby-lang.org',
  'rubyonrails.org php.net laravel.com spring.io kotlinlang.org swift.org dart.dev flutter.dev postgresql.org sqlite.org',
  'graphql.org jsonapi.org oauth.net swagger.io modelcontextprotocol.io whatwg.org tc39.es ecma-international.org',
  'unicode.org iana.org iso.org gnu.org creativecommons.org caniuse.com contributor-covenant.org qiita.com zenn.dev',
]
  .join(' ')
  .split(' ');
const isSite = new RegExp(`(?:^|\\.)(?:${sites.join('|').replaceAll('.', '\\.')})$`);
/** Reserved for examples, or by its name for those who read. @see RFC 2606 §3 */
const isForReaders =
  /^example\.(?:com|org|net)$|^(?:docs|developers?|www)\.(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}$/;
const isPrivate = /\.(?:internal|local|localdomain|lan|corp|intra|home|test)$|^docs\.google\.com$/;

/** Whether a host is the same for everybody; every other one belongs to somebody's environment. */
export function isPublicSite(host: string): boolean {
  const name = host.toLowerCase();
  return isSite.test(name) || (isForReaders.test(name) && !isPrivate.test(name));
}
