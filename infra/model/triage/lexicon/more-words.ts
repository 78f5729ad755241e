/**
 * More words for the concepts of lexicon.ts: Italian, Polish, Russian, Turkish, Chinese, Japanese and Korean, and English of
 * other years. The same form; what is written without blanks between words matches wherever it stands.
 */
export const moreWords = {
  account:
    "account profilo iscrizione utenza konta kontem учетн* аккаунт* счет счета профил* hesap hesab* uyelik* 账户 账号 帐户 帐号 賬戶 アカウント 口座 会員 계정 계좌 회원",
  credential:
    "accesso accedi credenziali hasla logowani* парол* войти вход логин sifre* parola giris 密码 登录 登陆 パスワード ログイン サインイン 暗証番号 비밀번호 로그인|codice di accesso|zaloguj sie|one-time code|einmalcode",
  verify:
    "verific* conferm* aggiorn* convalid* potwierdz* zweryfik* aktualiz* подтверд* провер* обнов* dogrula* onayla* guncelle* 验证 确认 核实 更新 認証 確認 更新手続 本人確認 확인 인증 업데이트",
  suspended:
    "sospes* bloccat* scadut* scadenza disattivat* zawieszon* zablokowan* wygasl* заблокир* приостанов* истек* огранич* отключ* askiya kapat* engellen* 冻结 停用 暂停 锁定 过期 限制 停止 凍結 制限 失効 ロック 정지 차단 만료 제한",
  security:
    "sicurezza insolit* sospett* bezpieczenst* podejrzan* безопасн* подозрительн* необычн* guvenli* supheli* 安全 异常 可疑 セキュリティ 不正 異常 보안 의심",
  urgency:
    "urgente subito immediatamente entro ultimo scadra pilne natychmiast срочно немедленно последн* acil hemen 立即 紧急 马上 尽快 至急 緊急 ただちに すぐに 긴급 즉시 지금|24 ore|48 ore|24 godzin|24 часов|в течение|24小时|24時間|24시간|last days|ends tonight|ends soon",
  prize:
    "vincitore vinto premio premi wygral* nagrod* выигр* приз призы победител* kazandin* odul 中奖 奖品 大奖 当選 賞品 懸賞 당첨 경품",
  congrats: "congratulazioni complimenti gratulacje поздравля* tebrikler 恭喜 おめでとう 축하",
  survey: "sondaggio questionario ankieta опрос анкет* anket 问卷 调查 アンケート 설문",
  gift: "regalo buono omaggio prezent bon подарок подарк* подароч* бонус* hediye 礼品 赠送 赠品 プレゼント ギフト クーポン 선물 쿠폰 상품권",
  free: "omaggio darmow* bezplatn* бесплатн* ucretsiz bedava 免费 無料 무료",
  discount:
    "sconto sconti saldi risparmi* offertissima rabat znizk* promocj* скидк* акци* распродаж* дешев* indirim* kampanya* 优惠 折扣 特价 打折 促销 低价 割引 セール 特価 激安 할인 세일 특가 최저가|миним* цен|лучшие цены|save up to|fino al 50|fino al 60|fino al 70|fino al 80|sconti fino al",
  offer:
    "offerta offerte proposta opportunita ofert* предлож* teklif* firsat* 报价 推出 机会 お得 キャンペーン オファー 제안 혜택 기회",
  fortune:
    "eredita beneficiario milioni miliardi donazione fondazione spadek миллион* наследств* благотворител* фонд* miras milyon 遗产 百万 基金 捐赠 億円 遺産 寄付 상속 유산 기금|million dollars|million usd|die bank of|strictly confidential|foreign partner|late husband|late father|central bank|total sum|bank account details|contract payment|inheritance fund",
  crypto:
    "criptovalut* kryptowalut* биткоин* криптовалют* кошел* kripto* 比特币 加密货币 钱包 ビットコイン 仮想通貨 비트코인 코인 가상화폐",
  earning:
    "guadagn* reddito investiment* zarob* dochod* заработ* доход* инвест* прибыл* деньги kazanc yatirim 赚钱 收入 投资 利润 稼ぐ 稼げ 副業 収入 投資 儲か 수익 투자 재테크 부업|be your own boss|work at home|home based|residual income|no experience",
  loan: "prestito mutuo finanziament* pozyczk* kredyt* кредит* займ* ссуд* kredi* borc 贷款 借款 融資 ローン 借入 대출 신용|interest rate|low rates|lower your|bad credit|refinance|home owners|credit score|approved for",
  parcel:
    "pacco pacchi spedizion* consegna corriere paczk* przesylk* dostaw* kurier* посылк* доставк* отправлени* курьер* kargo teslim* paket* 包裹 快递 物流 配送 发货 运单 荷物 お届け 再配達 宅配 発送 택배 배송 배달 운송장",
  payment:
    "pagamento pagamenti fattura fatture bolletta rimborso fiscale faktur* platnosc* zaplat* zwrot podatk* оплат* платеж* возврат* налог* счёт* odeme* fatura* iade vergi 付款 支付 发票 账单 退款 缴费 税 支払 請求 返金 お支払い 税金 還付 料金 결제 청구 환불 납부 세금 요금",
  mailbox:
    "casella posta spazio skrzynk* poczt* почт* ящик* хранилищ* posta kutusu kota 邮箱 邮件 存储 容量 空间 メールボックス 容量 受信 ストレージ 메일함 용량 저장공간|mailbox quota|email storage|webmail team|mail server|email account|undelivered mails|quarantined|pending mails|held messages",
  document:
    "documento allegato zalaczni* dokument* документ* вложен* belge ek 附件 文件 文档 添付 書類 文書 첨부 문서 파일|shared a file|shared document|view document|review document|secure message|voice message|missed call|e-signature",
  click:
    "clicca cliccare premi accedi registrati scopri kliknij przejdz нажмит* перейд* кликн* tiklay* 点击 单击 链接 登录查看 クリック こちら タップ リンク 클릭 링크 접속 바로가기|visit our|visit us|go here|see here|check it out|enter here|get it now|call now|call today|reply to this|log in here|view details|see attached|per saperne|по ссылке|here is the link",
  impersonal:
    "gentile cliente szanowni уважаем* sayin musterimiz 尊敬的 亲爱的客户 各位 お客様 ご利用者 会員様 고객님 고객 회원님|dear customers|dear users|dear email user|dear account holder|dear home owner|dear sirs|attention beneficiary|dear webmail|egregio|уважаемый клиент|cher membre|chers clients|hello friend",
  unsubscribe:
    "disiscriv* cancellati rezygnac* wypisz отпис* отказаться abonelikten 退订 取消订阅 配信停止 購読解除 登録解除 수신거부 구독취소|annulla iscrizione|no more emails|stop receiving|not interested|unsub|to stop|remove your email|off our list|take you off|not wish to receive",
  adult:
    "sesso incontri секс* интим* знакомств* девушк* seks 成人 美女 色情 出会い 人妻 アダルト 無修正 エッチ 성인 만남 야동 cock cocks|slut* nasty fuck* pussy cock* webcam* housewi* horny xxx|cheating wi|meet singles",
  pharma:
    "farmacia dimagri* pillole tablet* leki odchudzan* таблет* похуде* лекарств* виагр* zayifla* 减肥 壮阳 药品 治疗 保健 ダイエット サプリ バイアグラ 精力 다이어트 비아그라 건강식품 meds paxil generics drugstore erection erections libido stamina penile ejaculat*|online pharmacy|no prescription|without prescription|canadian pharmacy",
  drug: "viagra vicodin xanax valium soma phentermine ambien levitra tramadol hydrocodone lipitor zoloft prozac softtabs sildenafil tadalafil cialis adipex ultram meridia xenical codeine percocet propecia kamagra виагр* сиалис* виагра 壮阳 伟哥 バイアグラ シアリス 비아그라 시알리스|no prescription|without prescription|ohne rezept|sans ordonnance|sin receta|senza ricetta|sem receita|zonder recept|без рецепта|online pharmacy|canadian pharmacy|online-apotheke",
  gambling:
    "scommess* kasyno казино ставк* bahis kumarhane 赌博 博彩 彩票 赌场 カジノ ギャンブル パチンコ 競馬 도박 카지노 토토 바카라 베팅|zaklady bukmacher|zaklady sportow|zaklady online",
  guarantee:
    "garanzia garantit* incredibile gwarancj* гарант* garanti 保证 承诺 100％ 保証 絶対 驚き 보장 보증|100 %|no questions asked|satisfaction guaranteed|full refund|dont miss|don't miss|risk-free",
  conversation:
    "grazie ciao forse penso credo scritto dzieki chyba mysle спасибо привет думаю кажется может наверное tesekkur* merhaba belki 谢谢 觉得 应该 吧 呢 吗 ありがとう 思います かな よね ですね 고마워 감사해 같아 생각 네요 그래서 지금은",
  meeting:
    "riunione incontro domani pranzo cena spotkani* jutro obiad встреч* завтра обед совещани* toplanti yarin 会议 明天 开会 见面 会議 打ち合わせ 明日 ミーティング 회의 내일 미팅 약속",
  technical:
    "bugs python3 cmake installer compiler usb gpl cvs perl sourceforge gcc stack thread kernel repo pull cпасибо",
  stock:
    "otc otcbb pinksheets shares stock stocks ticker nasdaq shareholder* investor* trader* equities smallcap microcap bullish 股票 涨停 牛股 主力 株 銘柄 주식 급등주 종목 акции aktie aktien azioni|strong buy|price target|current price|target price|forward looking|forward-looking|penny stock|stock alert|breakout|pink sheets|short term|investment opinion|market cap",
  software:
    "oem photoshop autocad acrobat macromedia corel cdrom dreamweaver illustrator norton|windows xp|office xp|office 2003|xp pro|software at|cheap software|software titles|retail price|full version|adobe creative|download software",
  luxury:
    "rolex replica replicas cartier gucci vuitton omega breitling heuer prada handbag* jewelry jewelry|louis vuitton|high quality watches|luxury watch|tag heuer|replica watch|swiss watch|luxusuhren|montres de luxe|relojes de lujo|orologi di lusso|копии часов",
  education:
    "diploma diplomas degree degrees bachelor* mba phd accredited 培训 课程 讲师 学员 学费 招生 研讨会 培訓 セミナー 講座 受講|university degree|life experience|no classes|no tests|online degree|non-accredited",
  traffic:
    "seo backlinks hosting domain domains website visitors traffic leads targeted marketers 推广 建站 域名 空间 群发 营销 广告 宣传 业务 代理 加盟 ビジネス 集客 マーケティング 홍보 광고 마케팅 реклам* рассылк* продвиж*|search engine|email addresses|bulk email|email marketing|mass mailing|page 1 of|first page of google|website design|web design|million emails|fresh leads|your website",
  invoicing: "代开 增值税 点数 验证后付款 开票 普通发票 优惠代开 真伪",
  telephone:
    "热线 咨询 电话 联系人 手机 传真 欢迎来电 来电 联系电话 qq お問い合わせ フリーダイヤル 상담 문의 전화 тел телефон|toll free|toll-free|call us|fax number|phone number|1-800|1-888",
  consent:
    "iscritto abbonato|you're receiving|because you signed|because you subscribed|signed up|you subscribed|subscribed to|view in browser|view this email|view online|read online|in your browser|manage preferences|manage your|email preferences|update your preferences|update preferences|sie erhalten diese|weil sie sich|im browser|newsletter erhalten|einstellungen|vous recevez|inscrit|version en ligne|preferences|recibe este|suscrito|ver en el navegador|ricevi questa|visualizza nel browser|voce recebeu|inscrito|ver no navegador|u ontvangt|ingeschreven|bekijk online|вы получили это|подписались|подписаны|otrzymujesz|您收到此|订阅了|配信登録|ご登録|수신동의|구독하신|구독 중",
  receipt:
    "bestellung bestellnummer auftrag commande commandes pedido pedidos ordine bestelling zamowieni* заказ* siparis* 订单 ご注文 注文 주문 주문번호 receipt receipts quittung beleg recu recibo ricevuta paragon чек 收据 領収書 영수증|your order|order number|order #|order confirmation|order details|thank you for your purchase|thank you for your order|thanks for your order|payment received|booking reference|booking confirmed|subtotal|zwischensumme|sous-total|total ttc|итого",
  publication:
    "newsletter newsletters digest bulletin weekly edition issue editor editors article articles podcast column headline headlines story stories journal ausgabe redaktion artikel rundbrief lettre numero redaction boletin edicion redaccion bollettino numero redazione nieuwsbrief artikelen biuletyn рассылка выпуск редакци* стать* bulten 期刊 文章 周报 编辑 メルマガ 記事 編集部 号 뉴스레터 기사 편집|this week|this month|in this issue|read the full|full story|week in|top stories|in dieser ausgabe|cette semaine|esta semana|questa settimana|deze week|на этой неделе|本周|今週|이번 주",
  campaign:
    "vote votes voter voters voting election elections campaign campaigns candidate candidates senator senate congress congressional president presidential petition democrat democrats democratic republican republicans gop donate donation donations chip grassroots volunteer volunteers caucus debate debates poll polls primary iowa movement contribution contributions supporters supporter rally policy trump biden|chip in|paid for by|add your name|rush a|end of quarter|end-of-quarter|fundraising|our campaign|team member",
} as const satisfies Record<string, string>;
