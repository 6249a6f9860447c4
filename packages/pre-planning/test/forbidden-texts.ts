const rows = (text: string) => text.split('\n').filter((row) => row !== '');

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
