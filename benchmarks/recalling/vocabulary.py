"""The words that notes are made of, the commoner ones of each kind first."""

from __future__ import annotations

NOUNS = """
test server build error file user request change branch release team query table customer index client service
deploy session meeting review report token cache script page function config setting password backup database
message queue log version update ticket order invoice account button form screen endpoint header field column row
key value string number list record event worker job task thread process container image cluster node network port
proxy firewall certificate domain email address phone contract price discount payment refund shipment warehouse
supplier budget quarter deadline plan roadmap milestone goal idea question answer problem reason result risk
decision proposal draft document note comment thread summary chart graph metric alert dashboard monitor trace span
latency timeout retry limit quota threshold memory disk volume partition snapshot replica shard schema migration
constraint trigger view transaction lock cursor connection pool driver library package module class method argument
parameter variable constant interface type pattern template layout style theme color font icon menu panel dialog
window tab link route handler filter parser compiler linter formatter debugger profiler benchmark fixture mock
assertion coverage pipeline stage artifact registry manifest bundle binary installer archive folder path symlink
permission role group policy audit secret credential signature hash checksum encryption protocol socket packet
stream buffer channel signal callback hook plugin extension adapter wrapper factory iterator generator decorator
exception warning stack heap pointer reference leak crash bug regression fix patch workaround feature flag rollout
experiment variant cohort segment funnel conversion retention churn survey interview persona journey prototype
wireframe mockup sketch diagram map photo video recording podcast episode article newsletter headline campaign
banner audience keyword ranking traffic visitor referral subscription trial plan tier license renewal vendor partner
lawyer accountant auditor regulator insurance claim tax receipt expense salary bonus vacation holiday interviewer
candidate resume offer onboarding training workshop course lecture exam homework grade teacher student school
library museum theater concert album song guitar piano drum violin band festival ticket stadium match league coach
player referee goal score marathon race bike helmet trail mountain lake river beach forest garden tree flower seed
soil weather storm flood snow wind sunrise picnic barbecue recipe soup salad bread cheese pasta sauce pepper garlic
onion tomato potato carrot apple lemon banana berry chocolate coffee tea juice wine beer kitchen oven fridge freezer
dishwasher table chair sofa lamp carpet curtain window door roof wall floor basement attic garage driveway fence
neighbor landlord tenant apartment mortgage rent deposit utility electricity heating plumber electrician carpenter
painter contractor hammer drill ladder screw battery charger cable adapter laptop keyboard mouse headset speaker
microphone camera tripod lens printer scanner router modem antenna sensor thermostat switch outlet fuse engine brake
tire clutch mirror windshield fuel mechanic garage highway bridge tunnel station platform train bus tram ferry
flight airport gate luggage passport visa hotel hostel reservation booking itinerary tour guide souvenir postcard
currency exchange customs border embassy doctor nurse dentist clinic hospital pharmacy prescription vaccine allergy
headache fever cough injury knee shoulder ankle therapy exercise yoga gym diet vitamin sleep mattress pillow blanket
jacket sweater shirt dress shoe boot sock glove scarf umbrella watch necklace ring bracelet wallet purse backpack
suitcase gift birthday wedding anniversary graduation funeral baby toddler nephew niece cousin uncle aunt
grandfather grandmother parent sister brother daughter son friend colleague manager director intern engineer
designer analyst scientist researcher developer architect operator administrator support helpdesk hotline forum
community volunteer charity donation grant sponsor conference keynote poster badge booth demo talk slide panel
abstract paper journal citation dataset sample label feature model layer weight gradient optimizer epoch batch
embedding vector cosine cluster classifier prediction precision outlier baseline seed corpus sentence paragraph
translation glossary acronym dictionary alphabet novel chapter character plot poem essay diary puzzle chess card
dice board console controller level quest avatar pixel texture shader animation physics robot drone satellite rocket
telescope planet comet laser magnet crystal polymer enzyme protein genome bacteria virus antibody tissue
""".split()

VERBS = """
change add remove update move check start stop fix test use open close send show need deploy review discuss plan
replace rename merge release restart rebuild install upgrade configure enable disable migrate restore delete create
copy import export load save store cache index filter order group count measure compare verify validate approve
reject cancel schedule delay postpone finish complete launch announce publish print sign record report explain
mention ask answer request confirm promise suggest recommend prefer avoid ignore skip limit reduce increase double
halve extend shorten improve simplify refactor document comment annotate label tag assign transfer return refund
charge order ship pack unpack deliver collect store stack clean wash paint repair mount attach detach connect
disconnect plug charge drain fill pour mix bake boil roast grill chop peel taste serve share borrow lend rent lease
purchase reserve board land travel visit explore climb hike jog race train coach practice rehearse perform record
listen watch learn study graduate teach mentor interview hire promote retire join invite welcome greet call text
email visit celebrate plant water harvest trim mow monitor trace profile debug patch revert roll pin lock unlock
block allow grant revoke rotate encrypt sign hash parse render compile link package bundle upload download sync
mirror replicate partition scale shard throttle retry queue batch stream flush commit push pull fetch clone fork
rebase tag squash bisect warn fail crash hang leak overflow truncate round format escape quote wrap split join trim
sort rank score weigh sample train tune predict classify translate summarize draft outline edit polish submit
resubmit withdraw appeal negotiate settle insure audit invoice reconcile
""".split()

ADJECTIVES = """
new old first last slow fast small large early late long short main local remote open final wrong right missing
broken stable unstable empty full public private internal external shared separate single double daily weekly
monthly yearly red blue green yellow black white grey orange purple silver golden wooden plastic metal glass cotton
leather woollen cheap expensive free available unavailable busy quiet noisy clean dirty dry wet warm cold hot mild
spicy sweet sour bitter fresh frozen raw ripe stale organic vegan gluten-free crowded remote scenic historic modern
ancient medieval rural urban northern southern eastern western nearby distant upper lower inner outer front rear
left central temporary permanent partial complete incomplete valid invalid duplicate redundant obsolete deprecated
experimental official unofficial manual automatic random static dynamic global regional mobile portable wireless
digital analog virtual physical digital legal illegal medical dental financial fiscal annual quarterly strict
lenient flexible rigid fragile robust secure insecure anonymous verified pending approved rejected delayed overdue
urgent optional mandatory critical minor major severe harmless risky safe dangerous reliable flaky noisy sparse
dense flat nested recursive linear quadratic concurrent parallel sequential asynchronous idempotent immutable
mutable readable verbose concise vague precise
""".split()

PEOPLE = """
Anna Ben Carla David Elena Frank Grace Hassan Irene Jonas Karin Liam Maria Nadia Oscar Priya Quentin Rosa Samir
Tessa Ulrich Vera Walter Ximena Yusuf Zoe Aisha Bruno Chen Dmitri Esther Felix Greta Hiro Ines Jamal Keiko Lars Mei
Nils Olga Pedro Rania Stefan Tomas Uma Viktor Wanda Yara Zachary Abigail Boris Cecilia Dario Emil Fatima Georg
Hannah Ivan Julia Kofi Leila Marco Nora Omar Paula Rahul Sofia Tariq Ursula Vincent Wei Yolanda Zainab Albert Bianca
Conrad Delia Edgar Freya
""".split()

PLACES = """
Berlin Lisbon Toronto Nairobi Osaka Denver Oslo Lima Vienna Dublin Seoul Austin Porto Geneva Krakow Montreal Bergen
Cairo Athens Helsinki Boston Hamburg Valencia Tampere Zagreb Tbilisi Kyoto Santiago Wellington Edinburgh Marseille
Antwerp Gdansk Bologna Seville Galway Utrecht Basel Salzburg Brno Tallinn Riga Vilnius Lyon Turin Malmo Aarhus Ghent
Leeds Perth
""".split()

TOOLS = """
Postgres Redis Docker Kubernetes Python Rust React Terraform Kafka Nginx SQLite GitHub Jenkins Grafana Prometheus
Ansible Django Flask FastAPI Celery RabbitMQ Elasticsearch MongoDB Cassandra Spark Airflow Stripe Twilio Okta Vault
Consul Helm Istio Envoy Webpack Vite Svelte Angular Swift Kotlin Gradle Maven Bazel Cypress Playwright Pytest Sentry
Datadog Figma Notion Slack Jira Confluence Trello Salesforce Hubspot Shopify Mailchimp Zendesk Snowflake Looker
Tableau Metabase Pandas
""".split()

PROJECTS = """
atlas beacon cedar delta ember falcon garnet harbor indigo juniper kestrel lantern meadow nimbus onyx prairie quartz
raven saffron tundra umber violet willow xenon yarrow zephyr anchor bramble copper dahlia echo fjord granite heron
iris jasper krill lotus maple nectar opal pebble quill river spruce thistle urchin vesper walnut yonder
""".split()

# What a word may be called by somebody who asks about it later.
SYNONYMS = dict(
    pair.split(" = ")
    for pair in """
fixed = solved; error = failure; started = began; changed = altered; removed = took out; customer = client;
deploy = rollout; meeting = call; bug = defect; slow = sluggish; price = cost; plan = schedule; idea = thought;
problem = issue; discussed = debated; doctor = physician; apartment = flat; salary = pay; friend = buddy;
purchase = buy; shortened = cut; delayed = held up; deadline = due date; replaced = swapped; verified = checked;
picture = photo; broken = defective; fast = quick; expensive = costly; announced = proclaimed; 
vacation = leave
""".replace("\n", " ")
    .strip()
    .split("; ")
)
