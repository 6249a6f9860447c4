const rows = (text: string) => text.split('\n').filter((row) => row !== '');

/** Questions about code, in which only parts of words, or other meanings of them, are forbidden. */
export const honestTexts = rows(`
the tokenizer
tokenize(text)
max_tokens
token limit
token count
tokens of the lexer
the design tokens
number of tokens
a CancellationToken
tokens per minute
full name of the function
the full name of each test file
the secretary
passing tests
compass words
keyboard keys
a monkey patch
the primary key of the table
foreign keys
the environment of the species
lib/envelope.ts
database layer in src/store
how authors are listed
importance
the pinned versions
pin dependencies
spinning pages
mapping code
the HTTPServer class
APIs of the library
IDs of the items
JSONparser
the Erlang OTP behaviour
cookie banner
トークナイザー
トークン数
トークンの数
トークンの使用量
トークンの消費量
トークンの予算
デザイントークン
字句解析のトークン
テストの配置
キーワード検索
認証機能の実装箇所
ディレクトリ構成
基本名
日本名
標本名
資本名目
事実名
標本番号
日本番組
レポート番号
窓口座席
公開範囲の関数
コーディング規約
合計を求める関数
ユーザー名の最大長
user name field validation
user name maximum length
ユーザー名の表示順
user names in test fixtures
to sort the list by user name
cookie options in express
クッキーの有効期限
how session cookies are set in tests
権限がない場合の表示
権限による表示切替を追加するため
client id column in invoices table
public key of the record
JWT library used
customer pins on the map
本番用の設定ファイル名
email address validation rule
which environment variables are read
what .env.example holds
パスワードの最小文字数
パスワード欄のプレースホルダー
password field component
メールアドレスの入力チェックのテスト
email template layout
how authentication middleware is tested
ログイン画面のバリデーション
デフォルトのタイムアウト
API endpoint paths
name of the database table
ユーザー名一覧画面の列`);

/** Assumptions of every day. */
export const honestValues = rows(`
src/total.js
src/components/UserList2/UserListItemHeaderV2.tsx
Vitest, beside the sources
Node 24.21.0
version 1.2.3
2026-11-22
2026-11-22T10:00:00Z
10:20:30
202611221030
1732269600000
12 345 678
1,000,000
404 not found
ESLintの設定に従う
calculateTotal
CreateUserAccountRequestHandlerV2
src/a/b/c/d/e/f/GetUserProfileV2Handler.ts
sha512-9YxvCSNPz1kGfH5Wq3mB7zRtE2uL8aXcV4dJ6sNpQ0oK==
AbstractHTTP2ServerConnectionPoolV3
da39a3ee5e6b4b0d3255bfef95601890afd80709
123e4567-e89b-12d3-a456-426614174000
server = express();
const host = getHost(); const database = 1;
Basic configuration
std::vector<int>
fs.promises.readFile
com.example.app
lodash@4.17.21
git@github.com:acme/shop.git
https://nodejs.org/api/fs.html
https://github.com/acme/shop/issues/12
0123456789
pass=3 fail=0
区切り文字はコンマ
user_name VARCHAR(50)
users.username is unique
the user name is required
username: string
ユーザー名で並べる
権限チェックは既存のミドルウェアに従う
パスワードの最小文字数は8
this.logger.info is used
vite.config.dev
req.app.locals.home
messages.locales.de
i18n.locales.jp
https://vitest.dev/guide/
https://react.dev/learn
https://docs.djangoproject.com
https://docs.acme-ui.com/forms
https://developer.apple.com/documentation
https://json.schemastore.org/package
https://example.com/guide
tests/e2e/A11y/WCAG21AA/Form1Test.ts
src/i18n/ja_JP/V2/Q3/E2E/Api/DtoV1.ts
feature/SHOP-123-Fix-VAT-B2B-B2C-Q4-2026
第1-2章
テストは3件`);
