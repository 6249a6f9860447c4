/** A row a line; nothing of it was ever valid anywhere. Issued keys are put together, so that no scanner takes them for some. */
const rows = (text: string) => text.split('\n').filter((row) => row !== '');
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ';

/** Texts that speak of something that is never assumed, by what it is. */
export const forbiddenTexts = {
  credentials: rows(`
the API key of the payment service
apiKey
STRIPE_API_KEYS
APIkey
SSHkey
DBpassword
dbpassword
AWSsecret
JWTtoken
IDtoken
PINcode
oauth2token
access tokens
accesstoken
clientsecret
where tokens are kept
pass\u200bword
ｐａｓｓｗｏｒｄ
pássword
раsswоrd
config/secrets.yml
the bearer of the request
the user's PIN
the PIN of the card
how JWTs are signed
session cookie
the client id
client_secret
user name of the administrator
~/.ssh/id_rsa
id_ed25519.pub
~/kubeconfig
the service account to use
OTP of the user
2FA code
the seed phrase of the wallet
APIキーの値
アクセストークン
アクセスキー
パスワードの規則
認証情報
ﾊﾟｽﾜｰﾄﾞ
PINコード
暗証番号
クライアントID
クライアントシークレット
ユーザー名
ユーザ名
秘密鍵
公開鍵
二要素認証の方法
ユーザー名とパスワード
管理者のユーザー名
ユーザー名一覧
the user name of the database
cookie values
the cookie of the session
client id of the OAuth app
the password field value
the user name is admin
サービスアカウント
セッションID`),
  database: rows(`
PostgreSQL connection string
DATABASE_URL
the DSN
MySQLhost
which database port is used
データベースの接続文字列
接続文字列
DB接続先
DBサーバ
DB 名
データベース設定`),
  environment: rows(`
environment variables
.env
production URL
staging servers
the host name of the server
環境変数の一覧
環境の設定
環境設定
本番環境のURL
本番URL
本番サーバー
本番サーバーのURL
ステージングのURL
ポート番号`),
  'personal-data': rows(`
the customer's email address
dateOfBirth
phone numbers
IBAN of the customer
the card number
the full name of the customer
利用者のメールアドレス
担当者の氏名
利用者の本名
カード番号
銀行口座
口座情報
個人名
顧客データ
顧客リスト
マイナンバー
住所
電話番号`),
  security: rows(`
security level
CORS settings
configuration of the TLS
authorization_rules
IAM role
セキュリティ設定
アクセス権の範囲
管理者の権限
権限の設定
CORSの設定
SSL設定
TLS設定
OAuth設定
権限
パーミッション
IAMロール`),
} as const;

/** Values that are such a thing, whatever they are called. */
export const forbiddenValues = {
  credentials: rows(`
${'ghp'}_0123456789abcdefghij
${'glpat'}-0123456789abcdefghij
${'sk'}-proj-0123456789abcdefghij
${'sk'}_live_${letters.slice(0, 24)}
${'SG'}.${letters.slice(0, 22)}.${letters.slice(3, 30)}
${'npm'}_${letters}
${'hf'}_${letters.slice(0, 34)}
${'xoxb'}-0123456789-abcdef
AKIAIOSFODNN7EXAMPLE
-----BEGIN RSA PRIVATE KEY-----
eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI
q9Zt4Lm2Xv8Kc1Bn7Hy3Rw6Pd5Fs
wJ8lrXUtnFEMI/K7MDENG/bPxR4iCYzK3mQ8vT2a
https://bot:pw@example.org/repo
Bearer abc
Basic dXNlcjpwYXNz
user=admin pass=x
user=admin&pass=x
pass=hunter
password field: hunter2
the password format is "hunter2"
パスワードの形式はhunter2
the user name is admin
username: admin
ユーザー名：admin
ユーザー名はadmin
docs/wJ8lrXUtnFEMIK7MDENGbPxR4iCYzK3.ts
feature/wJ8lrXUtnFEMIK7MDENGbPxR4iCYzK3
the password is "apple"`),
  database: rows(`
postgresql://db/app
postgres://app@db/prod
mongodb+srv://cluster0.example.net
Server=db;Database=app;
host=db port=5432 dbname=app`),
  environment: rows(`
10.0.0.7
2001:db8::1
::1
localhost:5432
db.internal.example.com
https://prod.example.com/api
https://docs.acme.internal
https://docs.google.com/document/1
db-1.acme.io
api.acme.dev
db.acme.internal
shop.acme.co.jp
http://localhost:3000
arn:aws:s3:eu-west-1:123456789012:bucket`),
  'personal-data': rows(`
mona@example.org
+81 90-1234-5678
090-1234-5678
09012345678
+819012345678
0312345678
(03)1234-5678
(555) 123-4567
4111111111111111
4111 1111 1111 1111
123456789018
1234 5678 9018
GB82 WEST 1234 5698 7654 32
〒150-0001
東京都渋谷区道玄坂1-2-3
大阪府大阪市北区梅田三丁目1番
12 Baker Street
378282246310005`),
  security: rows(`
arn:aws:iam::123456789012:role/deploy
管理者権限を全員に付与する`),
} as const;
