import type { ForbiddenForm } from './forbidden-forms.ts';

const begins = '(?<![\\w.-])';
const ends = '(?![\\w-])';
const code = '[cm]?[jt]sx?|py|rb|go|rs|java|kts?|swift|cs|php|md';

/** Where secrets are kept, as parameters of tools name files: the code that deals with them is none of these. */
export const secretPlaces: readonly ForbiddenForm[] = [
  {
    category: 'environment',
    pattern: new RegExp(
      `${begins}\\.env(?:rc)?(?!\\.(?:example|sample|template|dist|defaults?|schema)${ends})${ends}|/proc/\\w{1,10}/environ`,
      'gi',
    ),
  },
  {
    category: 'credentials',
    pattern: new RegExp(
      [
        `\\.(?:pem|p12|pfx|jks|keystore|ppk|kdbx)${ends}|[/\\\\][\\w.-]{1,60}\\.key${ends}|\\b(?:server|private|tls|ssl|host|client|ca|cert|deploy|prod)[\\w-]{0,30}\\.key${ends}`,
        `\\bid_(?:rsa|dsa|ecdsa|ed25519)${ends}|\\.(?:ssh|gnupg|aws)[/\\\\]|\\.kube[/\\\\]config|\\bkubeconfig${ends}`,
        `${begins}(?:\\.netrc|\\.npmrc|\\.pypirc|\\.pgpass|\\.my\\.cnf|\\.htpasswd|\\.git-credentials|\\.vault-token|\\.dockercfg)${ends}|\\.docker[/\\\\]config\\.json|/etc/(?:passwd|shadow)\\b`,
        `${begins}(?:client[_-]?)?(?:credentials?|secrets?)(?:\\.(?:ya?ml|json|toml|ini|csv|txt|enc|conf|properties))${ends}|${begins}(?:secrets?|credentials?)[/\\\\](?![\\w./\\\\-]{0,100}\\.(?:${code})${ends})|${begins}credentials$`,
        `\\bservice[_-]?account[\\w-]{0,30}\\.json|\\bmaster\\.key${ends}|\\bkeychain-db\\b`,
      ].join('|'),
      'gi',
    ),
  },
];
